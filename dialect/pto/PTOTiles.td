//===- PTOTiles.td - storage and valid regions of tiles ------*- tablegen -*-===//
#ifndef PTO_TILES_TD
#define PTO_TILES_TD

include "PTOTypes.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def PTO_AllocTileOp : PTO_Op<"alloc_tile", [
    AttrSizedOperandSegments, MemoryEffects<[MemAlloc]>]> {
  let summary = "the storage of a tile";
  let description = [{
    Without `addr` the compiler places the tile (auto mode). `addr` is a constant
    byte address in the tile's memory space (manual mode); handles whose bytes
    overlap share them. `valid_row` and `valid_col` give the valid region where
    the type says `?`. Commas between the three are optional.

    ```mlir
    %t = pto.alloc_tile addr = %a valid_row = %r valid_col = %c
       : !pto.tile_buf<vec, 16x64xf32, valid=?x?>
    ```
  }];
  let arguments = (ins Optional<I64>:$addr, Optional<Index>:$validRow, Optional<Index>:$validCol);
  let results = (outs PTO_TileBufType:$tile);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_SubviewOp : PTO_Op<"subview", [
    AttrSizedOperandSegments, MemoryEffects<[MemAlloc]>]> {
  let summary = "a window of a tile buffer";
  let description = [{
    A handle on `sizes` rows and columns of a tile from an offset on. The two share
    bytes: what is written through one is read through the other. The window must
    lie inside the tile, valid or not. Its own valid region is all of it, or what
    `valid_row` and `valid_col` give where its type says `?`.

    ```mlir
    %w = pto.subview %t[%i, %c0] sizes [8, 64] valid_row = %r
       : !pto.tile_buf<vec, 32x64xf32> -> !pto.tile_buf<vec, 8x64xf32, valid=?x64>
    ```
  }];
  let arguments = (ins
    PTO_TileBufType:$source, Index:$rowOffset, Index:$colOffset,
    DenseI64ArrayAttr:$sizes,
    Optional<Index>:$validRow, Optional<Index>:$validCol);
  let results = (outs PTO_TileBufType:$window);
  let assemblyFormat = [{
    $source `[` $rowOffset `,` $colOffset `]` `sizes` $sizes
    (`valid_row` `=` $validRow^)? (`valid_col` `=` $validCol^)?
    attr-dict `:` qualified(type($source)) `->` qualified(type($window))
  }];
  let hasVerifier = 1;
}

def PTO_TAssignOp : PTO_Op<"tassign", [MemoryEffects<[MemWrite]>]> {
  let summary = "binds a tile to an address";
  let description = [{
    Manual placement: the tile, a value or a buffer, lives at this byte address of
    its memory space. The type may be left out.

    ```mlir
    pto.tassign %t, @tile(0x1000)
    ```
  }];
  let arguments = (ins PTO_AnyTile:$tile, I64Attr:$address);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_SetValidShapeOp : PTO_Op<"set_validshape", [MemoryEffects<[MemWrite]>]> {
  let summary = "changes the valid region of a tile buffer";
  let description = [{
    For the dimensions that are `?` in the tile's type. The type may be left out.

    ```mlir
    pto.set_validshape %t, %r, %c
    ```
  }];
  let arguments = (ins PTO_TileBufType:$tile, Index:$validRow, Index:$validCol);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

#endif // PTO_TILES_TD
