//===- PTOInitialization.td - tiles made from scalars ---------*- tablegen -*-===//
#ifndef PTO_INITIALIZATION_TD
#define PTO_INITIALIZATION_TD

include "PTOElementwise.td"

def PTO_TCIOp : PTO_TileOp<"tci", "consecutive integers in one row", "sequenceTypes", 1, (ins
    Arg<AnyType, "", [MemRead]>:$start, DefaultValuedAttr<BoolAttr, "false">:$descending),
    "verifySequence"> {
  let description = [{
    Column `k` of the row becomes `start + k`, or `start - k` with `descending`.

    ```mlir
    pto.tci ins(%x : i32) outs(%d : !pto.tile_buf<vec, 1x64xi32>) {descending = true}
    ```
  }];
}

#endif // PTO_INITIALIZATION_TD
