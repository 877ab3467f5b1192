"""The assembler takes the PTX of every variant of `tirx.copy_async` and of every operation of
synchronisation, for every chip with clusters."""

import pytest

from pto import compiler
from pto.codegen import cubin
from tirx_copies import UPSTREAM, WRONG_UPSTREAM, Copy, Tile

CHIPS = ("sm_90a", "sm_100a", "sm_120a")

COPIES = {
    **{name: copy for name, (copy, _) in {**UPSTREAM, **WRONG_UPSTREAM}.items()},
    "rank at run time": Copy((64,), at_run_time=True),
    "cluster of 16": Copy((32, 16), "f32", cluster=16, target=15),
    "bulk": Copy((8, 64), variant="bulk"),
    "bulk, rows with gaps": Copy((8, 64), dst=Tile("strides = [72, 1]"), variant="bulk"),
    "ldgsts, 16 bytes": Copy((8, 64), variant="ldgsts"),
    "ldgsts, 8 bytes": Copy((8, 6), "f32", variant="ldgsts"),
    "ldgsts, 4 bytes": Copy((8, 6), variant="ldgsts"),
}


def assemble(text: str, chip: str) -> str:
    """The PTX of a program that the assembler has taken."""
    ptx = compiler.emit(text, form="ptx", target=chip)
    assert isinstance(ptx, str) and f".target {chip}" in ptx
    assert cubin.assemble(ptx, chip).startswith(b"\x7fELF")
    return ptx


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", COPIES)
def test_every_variant(name: str, chip: str) -> None:
    copy = COPIES[name]
    assert copy.variant in [d.chosen for d in compiler.explain(copy.text(), target=chip)]
    ptx = assemble(copy.text(), chip)
    assert (f".reqnctapercluster {copy.cluster}, 1, 1" in ptx) == (copy.variant == "dsmem")


@pytest.mark.parametrize("chip", ["sm_80", *CHIPS])
def test_a_copy_without_instructions_of_its_own(chip: str) -> None:
    """`copy` is loads and stores: it is there on every chip."""
    text = """
!tile = !tirx.buffer<8x64xf16, shared, swizzle = [3, 3, 3]>
!matrix = !tirx.buffer<8x64xf16, global>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @f(%x: !matrix, %y: !matrix) kernel
      attributes {known_block_size = array<i32: 32, 1, 1>} {
    %t = tirx.alloc : !tile
    tirx.copy_async cta %x -> %t : !matrix -> !tile
    gpu.barrier
    tirx.copy_async cta %t -> %y : !tile -> !matrix
    gpu.return
  }
}
"""
    chosen = [d.chosen for d in compiler.explain(text, target=chip)]
    assert chosen == ["copy", "copy", "scalar", "scalar"]
    assert "cp.async" not in assemble(text, chip)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize(
    "line",
    [
        "tirx.cluster_sync",
        "tirx.fence mbarrier_init",
        "tirx.fence proxy_async",
        "tirx.fence proxy_async_shared",
        "tirx.mbarrier_init %m count 1",
        "tirx.mbarrier_arrive %m",
        "tirx.mbarrier_arrive %m remote_cta(%c1)\n    tirx.cluster_sync",
        "tirx.mbarrier_arrive_expect_tx %m, %n",
        "tirx.mbarrier_wait %m parity %c1",
        "tirx.commit_group ldgsts",
        "tirx.commit_group bulk",
        "tirx.wait_group ldgsts 3",
        "tirx.wait_group bulk 3",
        "tirx.wait_group bulk 3 read",
    ],
)
def test_every_operation_of_synchronisation(line: str, chip: str) -> None:
    assemble(
        f"""
!bars = !tirx.buffer<2x!tirx.mbarrier, shared>
gpu.module @m [#nvvm.target<chip = "sm_90a">] {{
  gpu.func @f(%n: index) kernel attributes {{
      known_block_size = array<i32: 32, 1, 1>, known_cluster_size = array<i32: 2, 1, 1>}} {{
    %c1 = arith.constant 1 : index
    %bars = tirx.alloc : !bars
    %m = tirx.mbarrier_at %bars[%c1] : !bars
    {line}
    gpu.return
  }}
}}
""",
        chip,
    )
