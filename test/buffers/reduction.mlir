// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// CHECK-LABEL: gpu.func @primitives
// CHECK: tirx.prod cta {{.*}} axes [0] {strict}
// CHECK: tirx.sum cta {{.*}} axes [0] {strict}
// CHECK: tirx.max cta {{.*}} axes [0] {strict}
// CHECK: tirx.min cta {{.*}} axes [0] {strict}
pto.kernel @primitives() {
  %c0 = arith.constant 0 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tcolsum ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tcolmax ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
  tcolmin ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// A module may hold tile operations and nothing of arith.

// CHECK-LABEL: gpu.func @no_arith
// CHECK: tirx.prod cta {{.*}} axes [0] {strict}
pto.kernel @no_arith() {
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
}

// -----

// Only what allows other orders makes a reduction less than strict.

// CHECK-LABEL: gpu.func @fastmath
// CHECK: tirx.prod cta {{.*}} axes [0] :
// CHECK: tirx.prod cta {{.*}} axes [0] :
// CHECK: tirx.prod cta {{.*}} axes [0] :
// CHECK: tirx.prod cta {{.*}} axes [0] {strict} :
pto.kernel @fastmath() {
  %c0 = arith.constant 0 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>) fastmath<reassoc>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>) fastmath<fast>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>) fastmath<nnan,reassoc>
  tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>) fastmath<nnan,contract>
}

// -----

// CHECK-LABEL: gpu.func @dispatch
// CHECK: tirx.copy cta {{.*}} {dispatch = "scalar"}
// CHECK: tirx.prod cta {{.*}} {dispatch = "shared"}
// CHECK: tirx.copy cta {{.*}} {dispatch = "vector"}
pto.kernel @dispatch(%v: !pto.tensor_view<4x16xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %x = partition_view %v, offsets = [%c0, %c0], sizes = [%c4, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<4x16xf32>
  %y = partition_view %v, offsets = [%c0, %c0], sizes = [%c1, %c16]
     : !pto.tensor_view<4x16xf32> -> !pto.partition_tensor_view<1x16xf32>
  %s = tload %x {dispatch = "scalar"} : !pto.partition_tensor_view<4x16xf32> -> !pto.tile<4x16xf32>
  %d = tcolprod %s fastmath<reassoc> {dispatch = "shared"} : !pto.tile<4x16xf32> -> !pto.tile<1x16xf32>
  tstore %d, %y {dispatch = "vector"} : !pto.tile<1x16xf32>, !pto.partition_tensor_view<1x16xf32>
}
