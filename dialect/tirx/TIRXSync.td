//===- TIRXSync.td - clusters, mbarriers, groups of copies ---*- tablegen -*-===//
#ifndef TIRX_SYNC_TD
#define TIRX_SYNC_TD

include "TIRXTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def TIRX_ClusterSyncOp : TIRX_Op<"cluster_sync"> {
  let summary = "waits for all threads of the cluster";
  let description = [{
    What they wrote before is visible to each other after. All threads of a warp
    reach it together.
  }];
  let assemblyFormat = "attr-dict";
}

def TIRX_FenceKind : I32EnumAttr<"FenceKind", "what a fence orders", [
    I32EnumAttrCase<"MBarrierInit", 0, "mbarrier_init">,
    I32EnumAttrCase<"ProxyAsync", 1, "proxy_async">,
    I32EnumAttrCase<"ProxyAsyncShared", 2, "proxy_async_shared">]> {
  let cppNamespace = "::mlir::tirx";
}

def TIRX_FenceOp : TIRX_Op<"fence"> {
  let summary = "orders accesses of this thread for who synchronizes with it";
  let description = [{
    `mbarrier_init`: initialised mbarriers are ready for the other CTAs of the
    cluster. `proxy_async`, `proxy_async_shared`: what ordinary stores wrote (to
    shared memory) is what bulk copies read.
  }];
  let arguments = (ins TIRX_FenceKind:$kind);
  let assemblyFormat = "$kind attr-dict";
}

//===----------------------------------------------------------------------===//
// mbarriers
//===----------------------------------------------------------------------===//

def TIRX_MBarrierAtOp : TIRX_Op<"mbarrier_at", [Pure]> {
  let summary = "one mbarrier of a buffer of them";
  let description = [{
    ```mlir
    %bars = tirx.alloc : !tirx.buffer<2x!tirx.mbarrier, shared>
    %full = tirx.mbarrier_at %bars[%stage] : !tirx.buffer<2x!tirx.mbarrier, shared>
    ```
  }];
  let arguments = (ins TIRX_BufferType:$barriers, Index:$position);
  let results = (outs TIRX_MBarrierType:$barrier);
  let assemblyFormat = "$barriers `[` $position `]` attr-dict `:` qualified(type($barriers))";
  let hasVerifier = 1;
}

class TIRX_MBarrierOp<string mnemonic, string what> : TIRX_Op<"mbarrier_" # mnemonic> {
  let summary = what;
  let description = [{
    ```mlir
    tirx.mbarrier_init %m count 1
    tirx.mbarrier_arrive_expect_tx %m, %bytes
    tirx.mbarrier_wait %m parity %p
    ```
  }];
}

def TIRX_MBarrierInitOp : TIRX_MBarrierOp<"init", "makes an mbarrier of so many arrivals per phase"> {
  let arguments = (ins TIRX_MBarrierType:$barrier, I64Attr:$count);
  let assemblyFormat = "$barrier `count` $count attr-dict";
  let hasVerifier = 1;
}

def TIRX_MBarrierArriveOp
    : TIRX_MBarrierOp<"arrive", "arrives, at the mbarrier of another CTA with `remote_cta`"> {
  let arguments = (ins TIRX_MBarrierType:$barrier, Optional<Index>:$remote_cta);
  let assemblyFormat = "$barrier (`remote_cta` `(` $remote_cta^ `)`)? attr-dict";
}

def TIRX_MBarrierArriveExpectTxOp
    : TIRX_MBarrierOp<"arrive_expect_tx", "arrives, and expects so many bytes in this phase"> {
  let arguments = (ins TIRX_MBarrierType:$barrier, Index:$bytes);
  let assemblyFormat = "$barrier `,` $bytes attr-dict";
}

def TIRX_MBarrierWaitOp
    : TIRX_MBarrierOp<"wait", "waits until the phase of this parity (0, 1, 0, ...) is complete"> {
  let arguments = (ins TIRX_MBarrierType:$barrier, Index:$parity);
  let assemblyFormat = "$barrier `parity` $parity attr-dict";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Groups of copies
//===----------------------------------------------------------------------===//

def TIRX_CopyGroup : I32EnumAttr<"CopyGroup", "which copies of this thread", [
    I32EnumAttrCase<"Ldgsts", 0, "ldgsts">, I32EnumAttrCase<"Bulk", 1, "bulk">]> {
  let cppNamespace = "::mlir::tirx";
}

def TIRX_CommitGroupOp : TIRX_Op<"commit_group"> {
  let summary = "makes a group of this thread's copies since the last one";
  let description = [{
    `ldgsts` and `bulk` are the variants of `tirx.copy_async` that lower without an
    mbarrier.
  }];
  let arguments = (ins TIRX_CopyGroup:$kind);
  let assemblyFormat = "$kind attr-dict";
}

def TIRX_WaitGroupOp : TIRX_Op<"wait_group"> {
  let summary = "waits until at most so many of this thread's latest groups are under way";
  let description = [{
    `read`: of bulk copies, until their sources have been read.

    ```mlir
    tirx.commit_group ldgsts
    tirx.wait_group ldgsts 0
    ```
  }];
  let arguments = (ins TIRX_CopyGroup:$kind, I64Attr:$pending, UnitAttr:$read);
  let assemblyFormat = "$kind $pending (`read` $read^)? attr-dict";
  let hasVerifier = 1;
}

#endif // TIRX_SYNC_TD
