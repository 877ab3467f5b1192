"""From the NVVM dialect to PTX by `nvvm-to-ptx`."""

import pytest
from mlir import ir

from pto import context, passes, pipeline
from pto.codegen import ptx
from pto.errors import CompileError

KERNEL = """
gpu.module @m {targets} {{
  gpu.func @k(%x: memref<8xf32>) kernel {{
    %c0 = arith.constant 0 : index
    %a = memref.load %x[%c0] : memref<8xf32>
    %b = {function} : f32
    memref.store %b, %x[%c0] : memref<8xf32>
    gpu.return
  }}
}}
"""
TARGETS = '[#nvvm.target<chip = "sm_90a", features = "+ptx80">]'


def compiled(function: str, targets: str = TARGETS) -> str:
    with context.create():
        module = ir.Module.parse(KERNEL.format(function=function, targets=targets))
        passes.run(module, f"builtin.module({pipeline.NVVM},{pipeline.PTX})")
        return ptx.text(module)


def test_what_libdevice_has_is_part_of_the_kernel() -> None:
    text = compiled("math.sin %a")
    assert "call" not in text
    assert ".extern" not in text
    assert text.count(".entry") == 1


def test_a_module_without_a_target_is_named() -> None:
    with pytest.raises(CompileError, match=r"'gpu.module' op has no '#nvvm.target"):
        compiled("arith.negf %a", targets="")
