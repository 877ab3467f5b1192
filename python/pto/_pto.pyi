"""The extension module: types of both dialects, passes by name, drivers (`lib/binding`)."""

from collections.abc import Callable, Sequence
from typing import Any

from mlir import ir

class TileType(ir.Type):
    element_type: ir.Type
    space: str
    shape: tuple[int, int]
    valid: tuple[int | None, int | None]
    pad: int

class TileBufType(ir.Type):
    element_type: ir.Type
    space: str
    shape: tuple[int, int]
    valid: tuple[int | None, int | None]
    pad: int

class PtrType(ir.Type):
    element_type: ir.Type

class TensorViewType(ir.Type):
    element_type: ir.Type
    shape: list[int | None]

class PartitionTensorViewType(ir.Type):
    element_type: ir.Type
    shape: list[int | None]

class BufferType(ir.Type):
    element_type: ir.Type
    scope: str
    shape: list[int | None]
    strides: list[int | None]
    is_distributed: bool
    shards: list[tuple[int, int, int, str]]
    replicas: list[tuple[int, int, int, str]]
    swizzle: list[int]
    @classmethod
    def get(
        cls,
        shape: Sequence[int | None],
        element_type: ir.Type,
        scope: str,
        strides: Sequence[int | None] | None = None,
    ) -> BufferType: ...

class MBarrierType(ir.Type): ...

def register_dialects(registry: Any) -> None: ...
def load_dialects(context: ir.Context, names: Sequence[str]) -> None: ...
def element_types(context: ir.Context, op: str, profile: str = "") -> list[str]: ...
def register_pass(name: str, run: Callable[[Any], bool], description: str) -> None: ...
def find(root: ir.Operation, matches: Callable[[str], bool]) -> list[ir.Operation]: ...
def register_pipeline(name: str, passes: str, description: str) -> None: ...
def remark(location: ir.Location, applied: bool, name: str, text: str) -> None: ...
def warning(location: ir.Location, text: str) -> None: ...
def to_ptx(
    gpu_module: ir.Operation, chip: str, features: str, passes: str
) -> ir.ArrayAttr | None: ...
def set_attribute(op: ir.Operation, name: str, text: str) -> None: ...
def opt_main(argv: Sequence[str], registry: Any) -> int: ...
def lsp_main(argv: Sequence[str], registry: Any) -> int: ...
