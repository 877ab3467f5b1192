"""Programs as text, run by the reference interpreter."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from mlir import ir

from pto import context as contexts
from pto import reference
from pto.dtypes import DTYPES
from pto.reference.cta import Cta
from pto.reference.launch import HANDLERS

REDUCTION = """
pto.kernel @k(%x: !pto.tensor_view<?x?xTYPE>, %y: !pto.tensor_view<?x?xTYPE>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = tensor_view_dim %x, 0 : !pto.tensor_view<?x?xTYPE>
  %n = tensor_view_dim %x, 1 : !pto.tensor_view<?x?xTYPE>
  %w = partition_view %x, offsets = [%c0, %c0], sizes = [%m, %n]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<?x?xTYPE>
  %o = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %n]
     : !pto.tensor_view<?x?xTYPE> -> !pto.partition_tensor_view<1x?xTYPE>
{body}
}}"""

VALUES = """
  %s = tload %w : !pto.partition_tensor_view<?x?xTYPE> -> !pto.tile<16x16xTYPE, valid=?x?>
  %d = OP %s FLAGS : !pto.tile<16x16xTYPE, valid=?x?> -> !pto.tile<1x16xTYPE, valid=1x?>
  tstore %d, %o : !pto.tile<1x16xTYPE, valid=1x?>, !pto.partition_tensor_view<1x?xTYPE>"""

BUFFERS = """
  %s = alloc_tile valid_row = %m valid_col = %n : !pto.tile_buf<vec, 16x16xTYPE, valid=?x?>
  %d = alloc_tile valid_col = %n : !pto.tile_buf<vec, 1x16xTYPE, valid=1x?>
  tload ins(%w : !pto.partition_tensor_view<?x?xTYPE>)
        outs(%s : !pto.tile_buf<vec, 16x16xTYPE, valid=?x?>)
  OP ins(%s : !pto.tile_buf<vec, 16x16xTYPE, valid=?x?>)
     outs(%d : !pto.tile_buf<vec, 1x16xTYPE, valid=1x?>) FLAGS
  tstore ins(%d : !pto.tile_buf<vec, 1x16xTYPE, valid=1x?>)
         outs(%o : !pto.partition_tensor_view<1x?xTYPE>)"""


@pytest.fixture(scope="session")
def parse() -> Callable[[str], ir.Module]:
    context = contexts.create()
    modules: dict[str, ir.Module] = {}

    def parse(text: str) -> ir.Module:
        if text not in modules:
            with context:
                modules[text] = ir.Module.parse(text)
        return modules[text]

    return parse


@pytest.fixture(scope="session")
def run(parse: Any) -> Callable[..., None]:
    """`run(text, *arguments, kernel=None, grid=1)`."""

    def run(text: str, *arguments: Any, kernel: str | None = None, grid: int = 1) -> None:
        reference.run(parse(text), kernel, arguments, grid)

    return run


@pytest.fixture(scope="session")
def evaluate(parse: Any) -> Callable[..., Any]:
    """`evaluate(text, *values)`: the result (a tuple if several) of the function `@f` of `text`."""

    def evaluate(text: str, *values: Any) -> Any:
        functions = {op.attributes["sym_name"].value: op for op in parse(text).body.operations}
        results = Cta(0, 1, functions, HANDLERS).call("f", values, functions["f"])
        return results[0] if len(results) == 1 else tuple(results)

    return evaluate


@pytest.fixture(scope="session")
def reduce(run: Any) -> Callable[..., np.ndarray]:
    """`reduce("tcolprod", "f32", source)`: the row that the op makes of a matrix of up to 16x16."""

    def reduce(
        op: str, element: str, source: Any, form: str = VALUES, flags: str = ""
    ) -> np.ndarray:
        source = np.asarray(source, DTYPES[element])
        result = np.zeros((1, source.shape[1]), source.dtype)
        text = REDUCTION.format(body=form)
        for name, value in (("TYPE", element), ("OP", op), ("FLAGS", flags)):
            text = text.replace(name, value)
        run(text, source, result)
        return result[0]

    return reduce


@pytest.fixture(params=[VALUES, BUFFERS], ids=["values", "buffers"])
def form(request: pytest.FixtureRequest) -> str:
    """Both ways to write a tile op."""
    return request.param
