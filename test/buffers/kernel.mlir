// RUN: pto-opt --split-input-file --pto-to-tirx --canonicalize --cse %s | FileCheck %s

// Kernels keep their names, their argument types and pto.grid; pto.block is the size of a CTA.

// CHECK: gpu.module @kernels [#nvvm.target<chip = "sm_100a"
// CHECK-LABEL: gpu.func @attributes
// CHECK-SAME: (%{{[^:]*}}: !tirx.buffer<f16, global>, %{{[^:]*}}: !tirx.buffer<?x8xui8, global, strides = [?, ?]>, %{{[^:]*}}: i32) kernel
// CHECK-SAME: known_block_size = array<i32: 128, 1, 1>
// CHECK-SAME: pto.arguments = [{name = "arg0", type = !pto.ptr<f16>}, {name = "arg1", type = !pto.tensor_view<?x8xui8>}, {name = "arg2", type = i32}]
// CHECK-SAME: pto.grid = 4 : i64
module attributes {pto.target = "sm_100a"} {
  pto.kernel @attributes(%a: !pto.ptr<f16>, %b: !pto.tensor_view<?x8xui8>, %c: i32) attributes {pto.block = 128, pto.grid = 4} {
  }
}

// -----

// A kernel may be a function; its arguments may be named.

// CHECK-LABEL: gpu.func @function
// CHECK-SAME: pto.arguments = [{name = "x", type = !pto.ptr<f32>}]
func.func @function(%x: !pto.ptr<f32> {pto.name = "x"}) {
  return
}

// -----

// CHECK-LABEL: gpu.func @first
// CHECK-LABEL: gpu.func @second
pto.kernel @first(%p: !pto.ptr<f32>) {
}
func.func @second(%p: !pto.ptr<f32>) {
  return
}

// -----

// CHECK-LABEL: gpu.func @grid
// CHECK-DAG: %[[I:.*]] = gpu.block_id x
// CHECK-DAG: %[[N:.*]] = gpu.grid_dim x
// CHECK: gpu.printf "%d of %d"
pto.kernel @grid() {
  %i = get_block_idx
  %n = get_block_num
  gpu.printf "%d of %d", %i, %n : i64, i64
}

// -----

// A function that is no kernel is a helper, and is dropped when its callers are done with it.

// CHECK: gpu.func @kernel
// CHECK-NOT: @helper
pto.kernel @kernel(%p: !pto.ptr<f32>) {
}
func.func private @helper(%t: !pto.tile<1x16xf32>) {
  return
}

// -----

// Tile operations, arith and scf mix.

// CHECK-LABEL: gpu.func @mixed
// CHECK: scf.for %[[I:.*]] = %c0 to
// CHECK: %[[EVEN:.*]] = arith.cmpi eq
// CHECK: scf.if %[[EVEN]] {
// CHECK: tirx.prod cta
// CHECK: } else {
// CHECK: tirx.sum cta
pto.kernel @mixed(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = alloc_tile : !pto.tile_buf<vec, 4x16xf32>
  %d = alloc_tile : !pto.tile_buf<vec, 1x16xf32>
  scf.for %i = %c0 to %n step %c1 {
    %r = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %r, %c0 : index
    scf.if %even {
      pto.tcolprod ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
    } else {
      pto.tcolsum ins(%s : !pto.tile_buf<vec, 4x16xf32>) outs(%d : !pto.tile_buf<vec, 1x16xf32>)
    }
  }
}
