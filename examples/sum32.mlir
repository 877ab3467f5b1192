// One thread reduces 32 elements that it holds in registers: their sum, largest and smallest.
//
// `pto compile examples/sum32.mlir --target sm_100a --emit ptx` shows Blackwell's two-lane additions
// and three-input maxima; `pto explain` says why sm_90a gets other variants.
gpu.module @kernels [#nvvm.target<chip = "sm_100a", features = "+ptx88">] {
  gpu.func @sum32(%x: !tirx.buffer<32xf32, global>, %y: !tirx.buffer<1xf32, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>, pto.grid = 1} {
    %a = tirx.alloc : !tirx.buffer<32xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<32xf32, global> -> !tirx.buffer<32xf32, local>
    tirx.sum thread %a -> %b axes [0] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }

  gpu.func @max32(%x: !tirx.buffer<32xf32, global>, %y: !tirx.buffer<1xf32, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>, pto.grid = 1} {
    %a = tirx.alloc : !tirx.buffer<32xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<32xf32, global> -> !tirx.buffer<32xf32, local>
    tirx.max thread %a -> %b axes [0] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }

  gpu.func @min32(%x: !tirx.buffer<32xf32, global>, %y: !tirx.buffer<1xf32, global>)
      kernel attributes {known_block_size = array<i32: 1, 1, 1>, pto.grid = 1} {
    %a = tirx.alloc : !tirx.buffer<32xf32, local>
    %b = tirx.alloc : !tirx.buffer<1xf32, local>
    tirx.copy thread %x -> %a : !tirx.buffer<32xf32, global> -> !tirx.buffer<32xf32, local>
    tirx.min thread %a -> %b axes [0] : !tirx.buffer<32xf32, local> -> !tirx.buffer<1xf32, local>
    tirx.copy thread %b -> %y : !tirx.buffer<1xf32, local> -> !tirx.buffer<1xf32, global>
    gpu.return
  }
}
