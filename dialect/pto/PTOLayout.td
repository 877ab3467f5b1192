//===- PTOLayout.td - tiles moved, turned and filled up -------*- tablegen -*-===//
#ifndef PTO_LAYOUT_TD
#define PTO_LAYOUT_TD

include "PTOElementwise.td"

def PTO_TMovOp : PTO_Unary<"tmov", "a copy of a tile", "allTypes">;

def PTO_TTransOp : PTO_TileOp<"ttrans", "a tile with rows and columns exchanged", "allTypes", 1,
    (ins Arg<PTO_AnyTile, "", [MemRead]>:$src), "verifyTranspose", /*hasScratch=*/"true"> {
  let description = [{
    A scratch tile as a second input is read past: nothing needs it.

    ```mlir
    pto.ttrans ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 64x16xf32>)
    ```
  }];
}

def PTO_TFillPadOp : PTO_TileOp<"tfillpad", "a copy of a tile, and the pad value in the rest", "allTypes", 1,
    (ins Arg<PTO_AnyTile, "", [MemRead]>:$src), "verifyFillPad"> {
  let description = [{
    The valid region of the destination may be larger than that of the source:
    what lies outside the source's, inside and outside its own, becomes its pad
    value.

    ```mlir
    pto.tfillpad ins(%s : !pto.tile_buf<vec, 16x64xf32, valid=16x50>)
                 outs(%d : !pto.tile_buf<vec, 16x64xf32, pad=3>)
    ```
  }];
}

#endif // PTO_LAYOUT_TD
