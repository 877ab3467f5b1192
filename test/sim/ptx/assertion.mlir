// mlir-opt: nvvm-attach-target, convert-gpu-to-nvvm (bare pointers), gpu-module-to-binary{format=isa}
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @checked(%x: memref<64xi32>, %n: i32) kernel {
    %t = gpu.thread_id x
    %i = arith.index_cast %t : index to i32
    %ok = arith.cmpi ult, %i, %n : i32
    cf.assert %ok, "thread beyond the valid region" loc("rows.mlir":12:3)
    memref.store %i, %x[%t] : memref<64xi32>
    gpu.return
  }
}
}
