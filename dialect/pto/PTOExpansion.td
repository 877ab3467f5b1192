//===- PTOExpansion.td - a row or a column beside a tile ------*- tablegen -*-===//
#ifndef PTO_EXPANSION_TD
#define PTO_EXPANSION_TD

include "PTOElementwise.td"

// Row expansion: a tile of one column, whose element in a row stands for the whole row.
class PTO_RowExpand<string suffix, string what, string types, string checks = "verifyRowExpansion">
    : PTO_TileOp<"trowexpand" # suffix, what, types, 2, (ins
        Arg<PTO_AnyTile, "", [MemRead]>:$src, Arg<PTO_AnyTile, "", [MemRead]>:$column),
                 checks> {
  let description = [{
    ```mlir
    pto.trowexpand}] # suffix # [{ ins(%a, %column : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x1xf32>)
        outs(%d : !pto.tile_buf<vec, 16x64xf32>)
    ```
  }];
}

// Column expansion: a tile of one row, whose element in a column stands for the whole column.
class PTO_ColExpand<string suffix, string what, string types, string checks = "verifyColExpansion">
    : PTO_TileOp<"tcolexpand" # suffix, what, types, 2, (ins
        Arg<PTO_AnyTile, "", [MemRead]>:$src, Arg<PTO_AnyTile, "", [MemRead]>:$row),
                 checks> {
  let description = [{
    ```mlir
    pto.tcolexpand}] # suffix # [{ ins(%a, %row : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 1x64xf32>)
        outs(%d : !pto.tile_buf<vec, 16x64xf32>)
    ```
  }];
}

def PTO_TRowExpandOp : PTO_TileOp<"trowexpand", "a column in every column", "allTypes", 1,
    (ins Arg<PTO_AnyTile, "", [MemRead]>:$column), "verifyRowExpansion">;
def PTO_TRowExpandAddOp : PTO_RowExpand<"add", "a tile plus a column", "allTypes">;
def PTO_TRowExpandSubOp : PTO_RowExpand<"sub", "a tile minus a column", "allTypes">;
def PTO_TRowExpandMulOp : PTO_RowExpand<"mul", "a tile times a column", "allTypes">;
def PTO_TRowExpandDivOp : PTO_RowExpand<"div", "a tile divided by a column", "allTypes">;
def PTO_TRowExpandMaxOp : PTO_RowExpand<"max", "the larger of an element and its row's in a column", "allTypes">;
def PTO_TRowExpandMinOp : PTO_RowExpand<"min", "the smaller of an element and its row's in a column", "allTypes">;
// Of f16 and bf16 the result may be f32, in which all is computed then.
def PTO_TRowExpandExpDifOp : PTO_RowExpand<"expdif", "e to the power of a tile minus a column", Floats,
                                             "verifyRowPower">;

def PTO_TColExpandOp : PTO_TileOp<"tcolexpand", "a row in every row", "allTypes", 1,
    (ins Arg<PTO_AnyTile, "", [MemRead]>:$row), "verifyColExpansion">;
def PTO_TColExpandAddOp : PTO_ColExpand<"add", "a tile plus a row", "allTypes">;
def PTO_TColExpandSubOp : PTO_ColExpand<"sub", "a tile minus a row", "allTypes">;
def PTO_TColExpandMulOp : PTO_ColExpand<"mul", "a tile times a row", "allTypes">;
def PTO_TColExpandDivOp : PTO_ColExpand<"div", "a tile divided by a row", "allTypes">;
def PTO_TColExpandMaxOp : PTO_ColExpand<"max", "the larger of an element and its column's in a row", "allTypes">;
def PTO_TColExpandMinOp : PTO_ColExpand<"min", "the smaller of an element and its column's in a row", "allTypes">;
def PTO_TColExpandExpDifOp : PTO_ColExpand<"expdif", "e to the power of a tile minus a row", Floats,
                                             "verifyColPower">;

#endif // PTO_EXPANSION_TD
