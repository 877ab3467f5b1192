//===- PTOMemory.td - tiles to and from global memory --------*- tablegen -*-===//
#ifndef PTO_MEMORY_TD
#define PTO_MEMORY_TD

include "PTOInterfaces.td"
include "PTOTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PTO_TLoadOp : PTO_Op<"tload", [DeclareOpInterfaceMethods<PTO_TileOpInterface>]> {
  let summary = "fills a tile from a window of global memory";
  let description = [{
    The window has the shape of the tile's valid region, unit dimensions aside:
    those whose size is 1 in the type or by a constant in `pto.partition_view`.

    ```mlir
    %t = pto.tload %w : !pto.partition_tensor_view<16x16xf32> -> !pto.tile<16x16xf32>
    pto.tload ins(%w : !pto.partition_tensor_view<16x16xf32>)
              outs(%t : !pto.tile_buf<vec, 16x16xf32>)
    ```
  }];
  let arguments = (ins
    Arg<PTO_PartitionViewType, "", [MemRead]>:$src,
    Arg<Optional<PTO_TileBufType>, "", [MemWrite]>:$dst);
  let results = (outs Optional<PTO_TileType>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_TStoreOp : PTO_Op<"tstore", [DeclareOpInterfaceMethods<PTO_TileOpInterface>]> {
  let summary = "writes the valid region of a tile to a window of global memory";
  let description = [{
    ```mlir
    pto.tstore %t, %w : !pto.tile<16x16xf32>, !pto.partition_tensor_view<16x16xf32>
    pto.tstore ins(%t : !pto.tile_buf<vec, 16x16xf32>)
               outs(%w : !pto.partition_tensor_view<16x16xf32>)
    ```

    `atomicType = "add"`, `"max"` or `"min"` combines each element with the one in
    memory, by an atomic: other CTAs may do so at once.
  }];
  let arguments = (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$src,
    Arg<PTO_PartitionViewType, "", [MemWrite]>:$dst,
    OptionalAttr<StrAttr>:$atomicType);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // PTO_MEMORY_TD
