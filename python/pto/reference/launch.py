"""Runs a kernel: chooses it, binds its arguments, and runs the CTAs one after the other."""

from collections.abc import Sequence
from typing import Any

import ml_dtypes
import numpy as np
from mlir import ir
from numpy.typing import NDArray

from pto.dialects.pto import PtrType, TensorViewType
from pto.errors import LaunchError
from pto.reference import arith, control, elementwise, memory, reduction, tiles, views
from pto.reference import kernel as grid_position
from pto.reference.cta import Cta, Handler
from pto.reference.scalars import (
    bits_of,
    dtype_of,
    element_dtype,
    float_from_float64,
    float_from_int,
    is_integer,
    signed,
)

HANDLERS: dict[str, Handler] = {
    **arith.HANDLERS,
    **control.HANDLERS,
    **elementwise.HANDLERS,
    **grid_position.HANDLERS,
    **memory.HANDLERS,
    **reduction.HANDLERS,
    **tiles.HANDLERS,
    **views.HANDLERS,
}

Argument = NDArray[Any] | np.generic | int | float

_INTEGERS: tuple[type[Any], ...] = (int, np.integer, np.bool_)
_FLOATS: tuple[type[Any], ...] = (float, np.floating, ml_dtypes.bfloat16)


def run(
    module: ir.Module, kernel: str | None, arguments: Sequence[Argument], grid: int = 1
) -> None:
    """Runs `kernel`, or the only kernel of a verified `module`, on `grid` CTAs.

    A kernel is a `pto.kernel`, or a `func.func` without results that nobody calls. Arguments:
    - `!pto.ptr<T>`: a C-contiguous array of any shape whose dtype is T (`pto.dtypes`),
    - `!pto.tensor_view<…xT>`: an array of that rank, sizes and strides are the array's,
    - an integer or `index`: a Python or numpy integer in the range of the type,
    - a float: a Python or numpy number, rounded to the type.

    Arrays are modified in place. Raises `LaunchError` (kernel, grid or arguments do not fit),
    `DeviceAssertion` (a run-time check failed) or `CompileError` (an op without reference meaning).
    """
    operations: list[Any] = list(module.body.operations)
    functions = {
        op.attributes["sym_name"].value: op
        for op in operations
        if op.operation.name in ("pto.kernel", "func.func")
    }
    name = _choose(functions, kernel)
    if grid < 1:
        raise LaunchError(f"a grid has at least one CTA, not {grid}")
    values = _bind(name, functions[name], arguments)
    for index in range(grid):
        Cta(index, grid, functions, HANDLERS).call(name, values, functions[name])


# ---- the kernel


def _callees(op: Any) -> set[str]:
    found: set[str] = set()

    def visit(inner: Any) -> ir.WalkResult:
        if inner.name == "func.call":
            found.add(inner.attributes["callee"].value)
        return ir.WalkResult.ADVANCE

    op.operation.walk(visit)
    return found


def _choose(functions: dict[str, Any], kernel: str | None) -> str:
    called = {name for function in functions.values() for name in _callees(function)}
    kernels = [
        name
        for name, function in functions.items()
        if name not in called
        and not function.attributes["function_type"].value.results
        and len(list(function.regions[0].blocks))
    ]
    listed = ", ".join(f"'{name}'" for name in kernels) or "none"
    if kernel is None:
        if len(kernels) != 1:
            raise LaunchError(f"name the kernel to run; the module has {listed}")
        return kernels[0]
    if kernel not in kernels:
        raise LaunchError(f"there is no kernel '{kernel}'; the module has {listed}")
    return kernel


# ---- its arguments


def _argument_names(function: Any, count: int) -> list[str]:
    names = [f"argument {index}" for index in range(count)]
    if "arg_attrs" in function.attributes:
        for index, attributes in enumerate(function.attributes["arg_attrs"]):
            if "pto.name" in attributes:
                names[index] = f"argument '{attributes['pto.name'].value}'"
    return names


def _bind(kernel: str, function: Any, arguments: Sequence[Argument]) -> list[Any]:
    types = list(function.attributes["function_type"].value.inputs)
    names = _argument_names(function, len(types))
    if len(arguments) != len(types):
        wanted = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True)) or "none"
        counts = f"takes {len(types)} arguments, not {len(arguments)}"
        raise LaunchError(f"kernel '{kernel}' {counts} ({wanted})")
    return [
        _value(f"kernel '{kernel}', {name}", type, argument)
        for name, type, argument in zip(names, types, arguments, strict=True)
    ]


def _value(where: str, type: Any, argument: Argument) -> Any:
    if isinstance(type, PtrType):
        array = _array(where, type, argument)
        if not array.flags.c_contiguous:
            raise LaunchError(f"{where}: {type} needs a C-contiguous array")
        return array.reshape(-1)
    if isinstance(type, TensorViewType):
        array = _array(where, type, argument)
        fits = array.ndim == len(type.shape) and all(
            static in (None, size) for static, size in zip(type.shape, array.shape, strict=True)
        )
        if not fits:
            raise LaunchError(f"{where}: an array of shape {array.shape} does not fit {type}")
        return array
    if is_integer(type):
        return _integer(where, type, argument)
    return _float(where, type, argument)


def _array(where: str, type: Any, argument: Argument) -> NDArray[Any]:
    if not isinstance(argument, np.ndarray):
        raise LaunchError(f"{where}: {type} needs an array, not {argument!r}")
    wanted = element_dtype(type)
    if argument.dtype != wanted:
        raise LaunchError(f"{where}: {type} needs an array of {wanted}, not of {argument.dtype}")
    return argument


def _integer(where: str, type: Any, argument: Argument) -> int:
    if not isinstance(argument, _INTEGERS):
        raise LaunchError(f"{where}: {type} needs an integer, not {_shown(argument)}")
    bits, value = bits_of(type), int(argument)
    starts_at_zero = bits == 1 or (isinstance(type, ir.IntegerType) and type.is_unsigned)
    low, high = (0, 2**bits - 1) if starts_at_zero else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    if not low <= value <= high:
        raise LaunchError(f"{where}: {value} is outside {low} to {high}, the range of {type}")
    return signed(value, bits)


def _float(where: str, type: Any, argument: Argument) -> Any:
    dtype = dtype_of(type)
    if dtype is None:
        raise LaunchError(f"{where}: no Python value has the type {type}")
    if isinstance(argument, _INTEGERS):
        return float_from_int(int(argument), dtype)
    if isinstance(argument, _FLOATS):
        return float_from_float64(float(argument), dtype)
    raise LaunchError(f"{where}: {type} needs a number, not {_shown(argument)}")


def _shown(argument: Argument) -> str:
    if isinstance(argument, np.ndarray):
        return f"an array of shape {argument.shape}"
    return repr(argument)
