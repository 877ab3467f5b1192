//===- TIRXCopy.td - moving and filling ----------------------*- tablegen -*-===//
#ifndef TIRX_COPY_TD
#define TIRX_COPY_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TIRX_CopyOp : TIRX_Op<"copy"> {
  let summary = "copies a buffer to one of the same shape";
  let description = [{
    ```mlir
    tirx.copy cta %src -> %dst
      : !tirx.buffer<16x16xf32, global> -> !tirx.buffer<16x16xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec,
    Arg<TIRX_BufferType, "", [MemRead]>:$src, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $src `->` $dst attr-dict `:` qualified(type($src)) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_CopyAsyncOp : TIRX_Op<"copy_async", [AttrSizedOperandSegments]> {
  let summary = "begins to copy a buffer to one of the same shape";
  let description = [{
    Nothing waits for the copy: `mbar` is an mbarrier that it signals, byte by
    byte, when it lands; without one a group of copies is committed and waited for
    (`tirx.commit_group`, `tirx.wait_group`). With `remote_cta`, a rank in the
    cluster, destination and mbarrier are those of that CTA.

    ```mlir
    tirx.copy_async thread %src -> %dst mbar(%m) remote_cta(%rank)
      : !tirx.buffer<128x64xf16, shared> -> !tirx.buffer<128x64xf16, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec,
    Arg<TIRX_BufferType, "", [MemRead]>:$src, Arg<TIRX_BufferType, "", [MemWrite]>:$dst,
    Optional<TIRX_MBarrierType>:$mbar, Optional<Index>:$remote_cta,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $src `->` $dst (`mbar` `(` $mbar^ `)`)? (`remote_cta` `(` $remote_cta^ `)`)?
    attr-dict `:` qualified(type($src)) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_FillOp : TIRX_Op<"fill"> {
  let summary = "writes one value to every element of a buffer";
  let description = [{
    The value has the type in which the element is computed: `i8` for `ui8`.

    ```mlir
    tirx.fill cta %value -> %dst : f32 -> !tirx.buffer<16x16xf32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, AnyType:$value,
    Arg<TIRX_BufferType, "", [MemWrite]>:$dst, OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $value `->` $dst attr-dict `:` type($value) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

def TIRX_IotaOp : TIRX_Op<"iota"> {
  let summary = "consecutive integers along the last dimension";
  let description = [{
    Index `k` of the last dimension becomes `value + k`, or `value - k` with
    `descending`, wrapping at the width of an element. The value is a scalar as
    in `tirx.fill`.

    ```mlir
    tirx.iota cta %value -> %dst : i32 -> !tirx.buffer<1x64xi32, shared>
    ```
  }];
  let arguments = (ins TIRX_ExecScope:$exec, AnyType:$value,
    Arg<TIRX_BufferType, "", [MemWrite]>:$dst, UnitAttr:$descending,
    OptionalAttr<StrAttr>:$dispatch);
  let assemblyFormat = [{
    $exec $value `->` $dst attr-dict `:` type($value) `->` qualified(type($dst))
  }];
  let hasVerifier = 1;
}

#endif // TIRX_COPY_TD
