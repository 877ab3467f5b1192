//===- TIRXTypes.td - buffers and their layouts --------------*- tablegen -*-===//
#ifndef TIRX_TYPES_TD
#define TIRX_TYPES_TD

include "TIRXDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def TIRX_MemoryScope : I32EnumAttr<"MemoryScope", "where a buffer lives", [
    I32EnumAttrCase<"Global", 0, "global">, I32EnumAttrCase<"Shared", 1, "shared">,
    I32EnumAttrCase<"Local", 2, "local">]> {
  let cppNamespace = "::mlir::tirx";
  let genSpecializedAttr = 0;
}

def TIRX_ExecScope : I32EnumAttr<"ExecScope", "who executes a primitive", [
    I32EnumAttrCase<"Thread", 0, "thread">, I32EnumAttrCase<"Warp", 1, "warp">,
    I32EnumAttrCase<"Warpgroup", 2, "warpgroup">, I32EnumAttrCase<"Cta", 3, "cta">,
    I32EnumAttrCase<"Cluster", 4, "cluster">, I32EnumAttrCase<"Grid", 5, "grid">]> {
  let cppNamespace = "::mlir::tirx";
}

def TIRX_Axis : I32EnumAttr<"Axis", "what a layout distributes elements over", [
    I32EnumAttrCase<"Memory", 0, "m">, I32EnumAttrCase<"Lane", 1, "laneid">,
    I32EnumAttrCase<"Warp", 2, "warpid">]> {
  let cppNamespace = "::mlir::tirx";
  let genSpecializedAttr = 0;
}

def TIRX_LayoutAttr : AttrDef<TIRX_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "where the elements of a buffer lie";
  let description = [{
    In memory, `#tirx.layout<strides = [16, 1]>`: the distance in elements along
    each dimension; `?` is known at run time.

    Over the threads of a warp or a CTA, `#tirx.layout<shards = [32 : 1@laneid,
    64 : 1]>`: the dimensions, split into shards from the outermost in, each with
    its extent and a stride over the lanes of a warp (`@laneid`), the warps of the
    scope (`@warpid`) or a thread's own storage. `replicas = [4 : 1@laneid]` says
    which threads hold copies. Shards and replicas cover all 32 lanes.

    In shared memory, shards split dimensions whose elements have no single
    distance: `shards = [64 : 1, 2 : 8192, 64 : 64]`. `swizzle = [B, M, S]` then
    moves the element at offset `o` from the allocation's first to
    `o ^ ((o >> S) & ((2^B - 1) << M))`, so that columns meet different banks.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$strides,
    ArrayRefParameter<"int64_t", "extent, stride and axis of each shard">:$shards,
    ArrayRefParameter<"int64_t", "likewise">:$replicas,
    ArrayRefParameter<"int64_t", "B, M and S, or nothing">:$swizzle);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    /// The layout's parameters, as written inside `#tirx.layout<...>` and in types.
    static ::mlir::FailureOr<::mlir::tirx::LayoutAttr>
    parseBody(::mlir::AsmParser &parser);
    void printBody(::mlir::AsmPrinter &printer) const;
  }];
}

def TIRX_BufferType : TypeDef<TIRX_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "an array in one kind of memory";
  let description = [{
    `!tirx.buffer<128x64xf16, shared>`, or with a layout other than row-major
    `!tirx.buffer<?x?xf32, global, strides = [?, 1]>`. A kernel argument
    `!tirx.buffer<f32, global>` is a plain pointer.
  }];
  let parameters = (ins
    ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType,
    EnumParameter<TIRX_MemoryScope>:$scope, "::mlir::tirx::LayoutAttr":$layout);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The strides of the layout, those of a row-major array without one; of a
    /// buffer with shards, nothing.
    ::llvm::SmallVector<int64_t> getStrides() const;

    /// One factor of a dimension (or of none, -1: a replica).
    struct Shard {
      int64_t dim, extent, stride;
      ::mlir::tirx::Axis axis;
    };
    /// The shards of the layout, in order; its replicas.
    ::llvm::SmallVector<Shard> getShards() const;
    ::llvm::SmallVector<Shard> getReplicas() const;
    /// Whether the elements lie in more than one thread, or in a thread's storage
    /// by shards.
    bool isDistributed() const {
      return getScope() == ::mlir::tirx::MemoryScope::Local && hasShards();
    }
    bool hasShards() const { return getLayout() && !getLayout().getShards().empty(); }
    /// B, M and S; nothing without a swizzle.
    ::llvm::ArrayRef<int64_t> getSwizzle() const;
  }];
}

def TIRX_MBarrierType : TypeDef<TIRX_Dialect, "MBarrier"> {
  let mnemonic = "mbarrier";
  let summary = "a barrier object in shared memory";
  let description = [{
    As the element of a shared buffer, eight bytes that hold the barrier; as a
    value, a reference to one (`tirx.mbarrier_at`). It completes a phase when the
    expected arrivals have come and the expected bytes have landed.
  }];
  let builderCall = "$_builder.getType<::mlir::tirx::MBarrierType>()";
}

#endif // TIRX_TYPES_TD
