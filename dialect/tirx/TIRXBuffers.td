//===- TIRXBuffers.td - making buffers and views -------------*- tablegen -*-===//
#ifndef TIRX_BUFFERS_TD
#define TIRX_BUFFERS_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TIRX_AllocOp : TIRX_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a buffer in shared or local memory";
  let description = [{
    `at` fixes the byte address in the CTA's shared memory; without it dispatch
    places the buffer. Strides and shards may leave gaps.

    ```mlir
    %a = tirx.alloc : !tirx.buffer<16x16xf32, shared>
    %b = tirx.alloc at 4096 : !tirx.buffer<1x16xf32, shared>
    ```
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$address);
  let results = (outs TIRX_BufferType:$buffer);
  let assemblyFormat = "(`at` $address^)? attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TIRX_ViewOp : TIRX_Op<"view", [Pure, AttrSizedOperandSegments]> {
  let summary = "a shape and strides over the memory of a buffer";
  let description = [{
    Begins `offset` elements after the first element of `source`. Sizes and
    strides are operands where the result type says `?`, in order.

    ```mlir
    %v = tirx.view %p offset %o sizes [%m, %n] strides [%n]
       : !tirx.buffer<f32, global> -> !tirx.buffer<?x?xf32, global, strides = [?, 1]>
    ```
  }];
  let arguments = (ins TIRX_BufferType:$source, Index:$offset,
                       Variadic<Index>:$sizes, Variadic<Index>:$strides);
  let results = (outs TIRX_BufferType:$buffer);
  let assemblyFormat = [{
    $source `offset` $offset (`sizes` `[` $sizes^ `]`)? (`strides` `[` $strides^ `]`)?
    attr-dict `:` qualified(type($source)) `->` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TIRX_SubviewOp : TIRX_Op<"subview", [Pure, AttrSizedOperandSegments]> {
  let summary = "a region of a buffer";
  let description = [{
    One offset per dimension; sizes are operands where the result type says `?`.

    ```mlir
    %s = tirx.subview %b[%i, %j] sizes [%r]
       : !tirx.buffer<16x16xf32, shared> -> !tirx.buffer<?x16xf32, shared, strides = [16, 1]>
    ```
  }];
  let arguments = (ins TIRX_BufferType:$source, Variadic<Index>:$offsets,
                       Variadic<Index>:$sizes);
  let results = (outs TIRX_BufferType:$buffer);
  let assemblyFormat = [{
    $source `[` $offsets `]` (`sizes` `[` $sizes^ `]`)? attr-dict
    `:` qualified(type($source)) `->` qualified(type($buffer))
  }];
  let hasVerifier = 1;
}

def TIRX_OwnOp : TIRX_Op<"own", [Pure]> {
  let summary = "the part of a distributed buffer that this thread stores";
  let description = [{
    Its dimensions are the shards over the thread's storage, without those of 1.

    ```mlir
    %o = tirx.own %b
       : !tirx.buffer<32x64xf32, local, shards = [32 : 1@laneid, 64 : 1]> -> !tirx.buffer<64xf32, local>
    ```
  }];
  let arguments = (ins TIRX_BufferType:$source);
  let results = (outs TIRX_BufferType:$buffer);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TIRX_ReshapeOp : TIRX_Op<"reshape", [Pure]> {
  let summary = "the same distributed elements under another shape";
  let description = [{
    Shards and replicas stay; the dimensions that they make up change.

    ```mlir
    %r = tirx.reshape %b : !tirx.buffer<128xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid]>
       -> !tirx.buffer<4x32xf32, local, shards = [4 : 1@warpid, 32 : 1@laneid]>
    ```
  }];
  let arguments = (ins TIRX_BufferType:$source);
  let results = (outs TIRX_BufferType:$buffer);
  let assemblyFormat = "$source attr-dict `:` qualified(type($source)) `->` qualified(type($buffer))";
  let hasVerifier = 1;
}

class TIRX_Query<string mnemonic, string what> : TIRX_Op<mnemonic, [Pure]> {
  let summary = what;
  let arguments = (ins TIRX_BufferType:$buffer, I64Attr:$dim);
  let results = (outs Index:$value);
  let assemblyFormat = "$buffer `,` $dim attr-dict `:` qualified(type($buffer))";
  let hasVerifier = 1;
}

def TIRX_DimOp : TIRX_Query<"dim", "the size of a buffer along one dimension">;
def TIRX_StrideOp : TIRX_Query<"stride", "the stride of a buffer along one dimension, in elements">;

def TIRX_OffsetOp : TIRX_Op<"offset", [Pure]> {
  let summary = "where a region begins in its allocation or kernel argument, in elements";
  let arguments = (ins TIRX_BufferType:$buffer);
  let results = (outs Index:$value);
  let assemblyFormat = "$buffer attr-dict `:` qualified(type($buffer))";
}

#endif // TIRX_BUFFERS_TD
