"""The barriers of compiled programs, and why they are there."""

from pto import compiler

# Columns are folded in any order: several threads per column exchange their parts.
PROGRAM = """
pto.kernel @k(%x: !pto.tensor_view<64x16xf32>, %y: !pto.tensor_view<1x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %xw = partition_view %x, offsets = [%c0, %c0], sizes = [%c64, %c16]
     : !pto.tensor_view<64x16xf32> -> !pto.partition_tensor_view<64x16xf32>
  %yw = partition_view %y, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<1x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %xw : !pto.partition_tensor_view<64x16xf32> -> !pto.tile<64x16xf32>
  %d = tcolsum %s fastmath<reassoc> : !pto.tile<64x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %yw : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}"""

WRITTEN = """
gpu.module @m [#nvvm.target<chip = "sm_90a">] {
  gpu.func @k() kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
    gpu.barrier
    gpu.return
  }
}"""


def test_barriers_between_operations_and_inside_them() -> None:
    found = compiler.barriers(PROGRAM)
    assert [(barrier.kernel, barrier.op, barrier.because) for barrier in found] == [
        (
            "k",
            "pto.tcolsum",
            "tcolsum at 12:8 reads what tload at 11:8 wrote "
            "(bytes 0 to 4096 of the memory of tload at 11:8)",
        ),
        ("k", "pto.tcolsum", "inside tirx.sum: the threads of 'shared' exchange values"),
        ("k", "pto.tcolsum", "inside tirx.sum: the threads of 'shared' exchange values"),
        (
            "k",
            "pto.tstore",
            "tstore at 13:3 reads what tcolsum at 12:8 wrote "
            "(bytes 0 to 64 of the memory of tcolsum at 12:8)",
        ),
    ]
    assert [barrier.location for barrier in found] == ["-:12:8", "-:12:8", "-:12:8", "-:13:3"]


def test_a_barrier_of_the_program_is_its_own() -> None:
    (barrier,) = compiler.barriers(WRITTEN)
    assert (barrier.op, barrier.because) == ("gpu.barrier", "the program says so")
