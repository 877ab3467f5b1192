// mlir-opt: nvvm-attach-target, convert-gpu-to-nvvm (bare pointers), gpu-module-to-binary{format=isa}
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @column_product(%x: memref<64x16xf32>, %y: memref<16xf32>) workgroup(%s: memref<8x16xf32, #gpu.address_space<workgroup>>) kernel attributes {nvvm.reqntid = array<i32: 128>} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %one = arith.constant 1.0 : f32
    %t = gpu.thread_id x
    %col = arith.remui %t, %c16 : index
    %row = arith.divui %t, %c16 : index
    %p = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %one) -> f32 {
      %r0 = arith.muli %row, %c8 : index
      %r = arith.addi %r0, %i : index
      %v = memref.load %x[%r, %col] : memref<64x16xf32>
      %n = arith.mulf %a, %v : f32
      scf.yield %n : f32
    }
    memref.store %p, %s[%row, %col] : memref<8x16xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %first = arith.cmpi eq, %row, %c0 : index
    scf.if %first {
      %q = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %one) -> f32 {
        %v = memref.load %s[%i, %col] : memref<8x16xf32, #gpu.address_space<workgroup>>
        %n = arith.mulf %a, %v : f32
        scf.yield %n : f32
      }
      memref.store %q, %y[%col] : memref<16xf32>
    }
    gpu.return
  }
}
}
