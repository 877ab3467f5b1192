// RUN: pto-opt --split-input-file --verify-diagnostics %s

gpu.module @m {
  gpu.func @shape(%a: !tirx.buffer<16x20xf32, global>, %b: !tirx.buffer<8x20xf32, global>) {
    // expected-error @+1 {{'tirx.map' op source '!tirx.buffer<8x20xf32, global>' does not fit a destination of shape [16, 20]; sizes are equal, or 1 in the source}}
    tirx.map cta "neg"(%b) -> %a : (!tirx.buffer<8x20xf32, global>) -> !tirx.buffer<16x20xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rank(%a: !tirx.buffer<16x20xf32, global>, %b: !tirx.buffer<20xf32, global>) {
    // expected-error @+1 {{'tirx.map' op source '!tirx.buffer<20xf32, global>' does not fit a destination of shape [16, 20]; sizes are equal, or 1 in the source}}
    tirx.map cta "neg"(%b) -> %a : (!tirx.buffer<20xf32, global>) -> !tirx.buffer<16x20xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @element(%a: !tirx.buffer<16xf32, global>, %x: f16) {
    // expected-error @+1 {{'tirx.map' op element types differ: 'f16' beside 'f32'}}
    tirx.map cta "add"(%a, %x) -> %a : (!tirx.buffer<16xf32, global>, f16) -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @neither(%a: !tirx.buffer<16xf32, global>, %x: index) {
    // expected-error @+1 {{'tirx.map' op takes buffers and scalars (f32, i32, ...), not 'index'}}
    tirx.map cta "add"(%a, %x) -> %a : (!tirx.buffer<16xf32, global>, index) -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @no_source(%a: !tirx.buffer<16xf32, global>) {
    // expected-error @+1 {{'tirx.map' op takes at least one source}}
    "tirx.map"(%a) <{exec = 3 : i32, function = "add"}> : (!tirx.buffer<16xf32, global>) -> ()
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @scope(%a: !tirx.buffer<16xf32, global>) {
    %l = tirx.alloc : !tirx.buffer<16xf32, local>
    // expected-error @+1 {{'tirx.map' op is executed by a cta, but '!tirx.buffer<16xf32, local>' is one thread's; give it shards, or use 'thread'}}
    tirx.map cta "neg"(%a) -> %l : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, local>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @relation(%a: !tirx.buffer<4x16xf32, global>, %m: !tirx.buffer<4x2xui8, global>) {
    // expected-error @+1 {{'tirx.compare' op unknown relation 'less'; it is one of eq, ne, lt, gt, le, ge}}
    tirx.compare cta "less"(%a, %a) -> %m
      : (!tirx.buffer<4x16xf32, global>, !tirx.buffer<4x16xf32, global>) -> !tirx.buffer<4x2xui8, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @scalars(%x: f32, %m: !tirx.buffer<4x2xui8, global>) {
    // expected-error @+1 {{'tirx.compare' op compares two sources, at least one of them a buffer}}
    tirx.compare cta "lt"(%x, %x) -> %m : (f32, f32) -> !tirx.buffer<4x2xui8, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @short_mask(%a: !tirx.buffer<4x17xf32, global>, %m: !tirx.buffer<4x2xui8, global>) {
    // expected-error @+1 {{'tirx.compare' op mask '!tirx.buffer<4x2xui8, global>' has no bit for each element of the shape [4, 17]}}
    tirx.compare cta "lt"(%a, %a) -> %m
      : (!tirx.buffer<4x17xf32, global>, !tirx.buffer<4x17xf32, global>) -> !tirx.buffer<4x2xui8, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @wide_mask(%a: !tirx.buffer<4x16xf32, global>, %m: !tirx.buffer<4x2xi16, global>) {
    // expected-error @+1 {{'tirx.select' op takes a mask of i8 or ui8, not '!tirx.buffer<4x2xi16, global>'}}
    tirx.select cta %m, (%a, %a) -> %a
      : !tirx.buffer<4x2xi16, global>, (!tirx.buffer<4x16xf32, global>, !tirx.buffer<4x16xf32, global>) -> !tirx.buffer<4x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @one_source(%a: !tirx.buffer<4x16xf32, global>, %m: !tirx.buffer<4x2xi8, global>) {
    // expected-error @+1 {{'tirx.select' op selects from two sources}}
    tirx.select cta %m, (%a) -> %a
      : !tirx.buffer<4x2xi8, global>, (!tirx.buffer<4x16xf32, global>) -> !tirx.buffer<4x16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @rounding(%a: !tirx.buffer<16xf32, global>, %b: !tirx.buffer<16xf16, global>) {
    // expected-error @+1 {{'tirx.map' op unknown rounding 'rint'; it is one of nearest, away, down, up, zero, odd}}
    tirx.map cta "cast"(%a) -> %b {rounding = "rint"} : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf16, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @saturated_sum(%a: !tirx.buffer<16xf32, global>) {
    // expected-error @+1 {{'tirx.map' op has 'rounding' and 'saturate' with "cast" only}}
    tirx.map cta "add"(%a, %a) -> %a {saturate} : (!tirx.buffer<16xf32, global>, !tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @powers(%a: !tirx.buffer<16xf16, global>, %b: !tirx.buffer<16xbf16, global>, %d: !tirx.buffer<16xf32, global>) {
    // expected-error @+1 {{'tirx.map' op element types differ: '!tirx.buffer<16xbf16, global>' beside 'f16'}}
    tirx.map cta "expdif"(%a, %b) -> %d : (!tirx.buffer<16xf16, global>, !tirx.buffer<16xbf16, global>) -> !tirx.buffer<16xf32, global>
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @empty() {
    // expected-error @+1 {{'tirx.fused' op holds no tirx.map}}
    tirx.fused cta {
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @other() {
    tirx.fused cta {
      // expected-error @+1 {{'gpu.barrier' op is in a tirx.fused, which holds tirx.map only}}
      gpu.barrier
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @scopes(%a: !tirx.buffer<16xf32, global>) {
    tirx.fused cta {
      // expected-error @+1 {{'tirx.map' op is executed by a warp in a tirx.fused of a cta}}
      tirx.map warp "neg"(%a) -> %a : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, global>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @variant(%a: !tirx.buffer<16xf32, global>) {
    tirx.fused cta {
      // expected-error @+1 {{'tirx.map' op asks for a variant in a tirx.fused, which has one for all of its maps}}
      tirx.map cta "neg"(%a) -> %a {dispatch = "scalar"} : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, global>
    }
    gpu.return
  }
}

// -----

gpu.module @m {
  gpu.func @shapes(%a: !tirx.buffer<16xf32, global>, %b: !tirx.buffer<8xf32, global>) {
    tirx.fused cta {
      tirx.map cta "neg"(%a) -> %a : (!tirx.buffer<16xf32, global>) -> !tirx.buffer<16xf32, global>
      // expected-error @+1 {{'tirx.map' op destination '!tirx.buffer<8xf32, global>' has another shape than '!tirx.buffer<16xf32, global>', that of the first in the tirx.fused}}
      tirx.map cta "neg"(%b) -> %b : (!tirx.buffer<8xf32, global>) -> !tirx.buffer<8xf32, global>
    }
    gpu.return
  }
}
