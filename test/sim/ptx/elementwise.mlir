// mlir-opt: nvvm-attach-target, convert-gpu-to-nvvm (bare pointers), gpu-module-to-binary{format=isa}
module attributes {gpu.container_module} {
gpu.module @m {
  gpu.func @halves(%x: memref<64xf16>, %b: memref<64xbf16>, %y: memref<64xf16>, %z: memref<64xbf16>, %f: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %v = memref.load %x[%t] : memref<64xf16>
    %w = memref.load %b[%t] : memref<64xbf16>
    %c = arith.constant 1.5 : f16
    %v1 = arith.mulf %v, %v : f16
    %v2 = arith.addf %v1, %c : f16
    %v3 = arith.maxnumf %v2, %v : f16
    memref.store %v3, %y[%t] : memref<64xf16>
    %w1 = arith.mulf %w, %w : bf16
    %cb = arith.constant 0.25 : bf16
    %w2 = arith.subf %w1, %cb : bf16
    %w3 = arith.minimumf %w2, %w : bf16
    memref.store %w3, %z[%t] : memref<64xbf16>
    %e = arith.extf %v3 : f16 to f32
    %g = arith.extf %w3 : bf16 to f32
    %h = arith.divf %e, %g : f32
    %i = arith.fptosi %h : f32 to i32
    %j = arith.sitofp %i : i32 to f32
    %k = math.fma %j, %e, %g : f32
    %nan = arith.cmpf uno, %k, %h : f32
    %l = arith.select %nan, %e, %k : f32
    memref.store %l, %f[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @pairs(%x: memref<64xvector<4xf32>>, %y: memref<64xvector<4xf32>>) kernel {
    %t = gpu.thread_id x
    %a = memref.load %x[%t] : memref<64xvector<4xf32>>
    %b = memref.load %y[%t] : memref<64xvector<4xf32>>
    %c = arith.addf %a, %b : vector<4xf32>
    %d = arith.mulf %c, %a : vector<4xf32>
    %e = math.fma %d, %b, %c : vector<4xf32>
    memref.store %e, %y[%t] : memref<64xvector<4xf32>>
    gpu.return
  }
  gpu.func @max3(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %i = arith.muli %t, %c4 : index
    %j = arith.addi %i, %c1 : index
    %k = arith.addi %i, %c2 : index
    %a = memref.load %x[%i] : memref<64xf32>
    %b = memref.load %x[%j] : memref<64xf32>
    %c = memref.load %x[%k] : memref<64xf32>
    %m = arith.maxnumf %a, %b : f32
    %n = arith.maxnumf %m, %c : f32
    memref.store %n, %y[%t] : memref<64xf32>
    gpu.return
  }
  gpu.func @atomics(%x: memref<64xf32>, %h: memref<64xi32>, %s: memref<64xf32>) kernel {
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %a = memref.load %x[%t] : memref<64xf32>
    %r0 = memref.atomic_rmw addf %a, %s[%c0] : (f32, memref<64xf32>) -> f32
    %k = arith.remui %t, %c4 : index
    %v = arith.index_cast %t : index to i32
    %r1 = memref.atomic_rmw maxs %v, %h[%k] : (i32, memref<64xi32>) -> i32
    %c1 = arith.constant 1 : index
    %w32 = arith.constant 32 : i32
    %one = arith.constant 1 : i32
    %sh, %valid = gpu.shuffle xor %a, %one, %w32 : f32
    %c8 = arith.constant 8 : index
    memref.store %sh, %x[%t] : memref<64xf32>
    gpu.return
  }
}
}
