// RUN: pto-opt --split-input-file --verify-diagnostics %s

func.func @unknown_fence() {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [mbarrier_init, proxy_async, proxy_async_shared]}}
  tirx.fence cluster
  return
}

// -----

func.func @unknown_group() {
  // expected-error @+1 {{expected string or keyword containing one of the following enum values for attribute 'kind' [ldgsts, bulk]}}
  tirx.commit_group tma
  return
}

// -----

// expected-error @+1 {{mbarriers lie in shared memory, in row-major order}}
func.func private @mbarriers_in_global_memory(!tirx.buffer<2x!tirx.mbarrier, global>)

// -----

// expected-error @+1 {{mbarriers lie in shared memory, in row-major order}}
func.func private @strided_mbarriers(!tirx.buffer<2x!tirx.mbarrier, shared, strides = [2]>)

// -----

// expected-error @+1 {{mbarriers lie in shared memory, in row-major order}}
func.func private @swizzled_mbarriers(!tirx.buffer<64x!tirx.mbarrier, shared, swizzle = [1, 1, 1]>)

// -----

func.func @mbarrier_of_data(%i: index) {
  %a = tirx.alloc : !tirx.buffer<2xi64, shared>
  // expected-error @+1 {{'tirx.mbarrier_at' op takes a buffer of mbarriers with one dimension, not '!tirx.buffer<2xi64, shared>'}}
  %m = tirx.mbarrier_at %a[%i] : !tirx.buffer<2xi64, shared>
  return
}

// -----

func.func @mbarrier_of_two_dimensions(%i: index) {
  %a = tirx.alloc : !tirx.buffer<2x2x!tirx.mbarrier, shared>
  // expected-error @+1 {{'tirx.mbarrier_at' op takes a buffer of mbarriers with one dimension, not '!tirx.buffer<2x2x!tirx.mbarrier, shared>'}}
  %m = tirx.mbarrier_at %a[%i] : !tirx.buffer<2x2x!tirx.mbarrier, shared>
  return
}

// -----

func.func @mbarriers_at_half_of_one() {
  // expected-error @+1 {{'tirx.alloc' op has the address 12, which is not a multiple of the element's 8 bytes}}
  %a = tirx.alloc at 12 : !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}

// -----

func.func @no_arrivals(%m: !tirx.mbarrier) {
  // expected-error @+1 {{'tirx.mbarrier_init' op expects 1 to 1048575 arrivals per phase, not 0}}
  tirx.mbarrier_init %m count 0
  return
}

// -----

func.func @too_many_arrivals(%m: !tirx.mbarrier) {
  // expected-error @+1 {{'tirx.mbarrier_init' op expects 1 to 1048575 arrivals per phase, not 1048576}}
  tirx.mbarrier_init %m count 1048576
  return
}

// -----

func.func @negative_arrivals(%m: !tirx.mbarrier) {
  // expected-error @+1 {{'tirx.mbarrier_init' op expects 1 to 1048575 arrivals per phase, not -1}}
  tirx.mbarrier_init %m count -1
  return
}

// -----

func.func @negative_groups() {
  // expected-error @+1 {{'tirx.wait_group' op leaves -1 groups under way}}
  tirx.wait_group bulk -1
  return
}

// -----

// The groups of `cp.async` know one event, when everything has landed.

func.func @ldgsts_read() {
  // expected-error @+1 {{'tirx.wait_group' op with 'read' is for bulk copies}}
  tirx.wait_group ldgsts 0 read
  return
}

// -----

func.func @copy_async_of_element_types(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<16xf16, shared>) {
  // expected-error @+1 {{'tirx.copy_async' op copies 'f32' to 'f16'; the element types must match}}
  tirx.copy_async cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf16, shared>
  return
}

// -----

func.func @copy_async_of_shapes(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<8xf32, shared>) {
  // expected-error @+1 {{'tirx.copy_async' op copies between different shapes: '!tirx.buffer<16xf32, global>' and '!tirx.buffer<8xf32, shared>'}}
  tirx.copy_async cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<8xf32, shared>
  return
}

// -----

func.func @copy_async_by_a_cta_to_local_memory(%s: !tirx.buffer<16xf32, global>, %d: !tirx.buffer<16xf32, local>) {
  // expected-error @+1 {{'tirx.copy_async' op is executed by a cta, but '!tirx.buffer<16xf32, local>' is one thread's; give it shards, or use 'thread'}}
  tirx.copy_async cta %s -> %d : !tirx.buffer<16xf32, global> -> !tirx.buffer<16xf32, local>
  return
}

// -----

// Buffers of mbarriers are no data: their state is opaque.

func.func @copy_of_mbarriers(%s: !tirx.buffer<2x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{'tirx.copy' op takes data, and '!tirx.buffer<2x!tirx.mbarrier, shared>' holds mbarriers}}
  tirx.copy cta %s -> %s : !tirx.buffer<2x!tirx.mbarrier, shared> -> !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}

// -----

func.func @copy_async_of_mbarriers(%s: !tirx.buffer<2x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{'tirx.copy_async' op takes data, and '!tirx.buffer<2x!tirx.mbarrier, shared>' holds mbarriers}}
  tirx.copy_async cta %s -> %s : !tirx.buffer<2x!tirx.mbarrier, shared> -> !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}

// -----

func.func @fill_of_mbarriers(%x: i64, %d: !tirx.buffer<2x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{'tirx.fill' op takes data, and '!tirx.buffer<2x!tirx.mbarrier, shared>' holds mbarriers}}
  tirx.fill cta %x -> %d : i64 -> !tirx.buffer<2x!tirx.mbarrier, shared>
  return
}

// -----

func.func @sum_of_mbarriers(%s: !tirx.buffer<2x!tirx.mbarrier, shared>, %d: !tirx.buffer<1x!tirx.mbarrier, shared>) {
  // expected-error @+1 {{'tirx.sum' op takes data, and '!tirx.buffer<2x!tirx.mbarrier, shared>' holds mbarriers}}
  tirx.sum cta %s -> %d axes [0] : !tirx.buffer<2x!tirx.mbarrier, shared> -> !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

func.func @groups_beyond_32_bits() {
  // expected-error @+1 {{'tirx.wait_group' op leaves 5000000000 groups under way}}
  tirx.wait_group bulk 5000000000
  return
}

// -----

func.func @mbarrier_outside() {
  %c1 = arith.constant 1 : index
  %bars = tirx.alloc : !tirx.buffer<1x!tirx.mbarrier, shared>
  // expected-error @+1 {{'tirx.mbarrier_at' op takes mbarrier 1 of '!tirx.buffer<1x!tirx.mbarrier, shared>'}}
  %m = tirx.mbarrier_at %bars[%c1] : !tirx.buffer<1x!tirx.mbarrier, shared>
  return
}

// -----

func.func @parity_of_two(%m: !tirx.mbarrier) {
  %c2 = arith.constant 2 : index
  // expected-error @+1 {{'tirx.mbarrier_wait' op waits for parity 2; phases alternate between 0 and 1}}
  tirx.mbarrier_wait %m parity %c2
  return
}
