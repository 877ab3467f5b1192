//===- TIRXElementwise.td - functions of elements ------------*- tablegen -*-===//
#ifndef TIRX_ELEMENTWISE_TD
#define TIRX_ELEMENTWISE_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TIRX_MapOp : TIRX_Op<"map"> {
  let summary = "a function of the elements at the same position";
  let description = [{
    Every element of `dst` becomes a function of what stands at its position in
    `srcs`: buffers of the same shape, where a dimension of 1 stands for any
    number of copies, or scalars. A source may be `dst` itself; other overlaps are
    not allowed. Which functions there are is said in
    `python/pto/lowering/functions.py`: add, sub, mul, max, min, ...

    `approx` permits a fast approximation where the function has one.

    All sources have the element type of `dst`. But `"cast"` gives the elements of
    one source in the type of `dst`, rounded by `rounding` (nearest, the default,
    away, down, up, zero or odd) and, with `saturate`, clamped to finite numbers;
    `"expdif"` may give f32 from sources of f16 or bf16.

    ```mlir
    tirx.map cta "add"(%a, %b) -> %d
      : (!tirx.buffer<16x16xf32, shared>, f32) -> !tirx.buffer<16x16xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, StrAttr:$function,
    Arg<Variadic<AnyType>, "", [MemRead]>:$srcs, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    UnitAttr:$approx, OptionalAttr<StrAttr>:$rounding, UnitAttr:$saturate,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $function `(` $srcs `)` `->` $dst attr-dict
    `:` `(` type($srcs) `)` `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_FusedOp : TIRX_Op<"fused",
    [SingleBlock, NoTerminator, NoRegionArguments, RecursiveMemoryEffects]> {
  let summary = "maps that are computed together, position by position";
  let description = [{
    The maps in the region have destinations of one shape. A thread computes all
    of them at a position, in their order, and waits for no other thread: what one
    of them writes may meet what another one reads or writes only at the same
    position of the same buffer. A buffer that the maps read or write several
    times is loaded and stored at most once.

    ```mlir
    tirx.fused cta {
      tirx.map cta "mul"(%a, %b) -> %d : (!tile, !tile) -> !tile
      tirx.map cta "exp"(%d) -> %d : (!tile) -> !tile
    }
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, OptionalAttr<StrAttr>:$dispatch);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$exec attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def TIRX_CompareOp : TIRX_Op<"compare"> {
  let summary = "a bit for each pair of elements: whether a relation holds";
  let description = [{
    `function` is eq, ne, lt, gt, le or ge. The bit of column `c` is bit `c mod 8`
    of the byte in column `c / 8` of `dst`; the bits past the last column of the
    sources, in its byte, become 0.

    ```mlir
    tirx.compare cta "lt"(%a, %b) -> %m
      : (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x3xui8, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, StrAttr:$function,
    Arg<Variadic<AnyType>, "", [MemRead]>:$srcs, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $function `(` $srcs `)` `->` $dst attr-dict
    `:` `(` type($srcs) `)` `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_SelectOp : TIRX_Op<"select"> {
  let summary = "the element of one of two sources, as a bit says";
  let description = [{
    `mask` has a bit for each column, as `tirx.compare` writes it. Where it is set
    the element is that of the first source, else that of the second.

    ```mlir
    tirx.select cta %m, (%a, %b) -> %d : !tirx.buffer<16x3xui8, shared>,
      (!tirx.buffer<16x20xf32, shared>, f32) -> !tirx.buffer<16x20xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, Arg<TIRX_BufferType, "", [MemRead]>:$mask,
    Arg<Variadic<AnyType>, "", [MemRead]>:$srcs, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $mask `,` `(` $srcs `)` `->` $dst attr-dict
    `:` qualified(type($mask)) `,` `(` type($srcs) `)` `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

#endif // TIRX_ELEMENTWISE_TD
