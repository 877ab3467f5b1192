//===- PTOConversion.td - elements of another type ------------*- tablegen -*-===//
#ifndef PTO_CONVERSION_TD
#define PTO_CONVERSION_TD

include "PTOElementwise.td"

def PTO_TCvtOp : PTO_TileOp<"tcvt", "the elements in another type", "allTypes", 1, (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$src,
    DefaultValuedAttr<PTO_RoundingAttr, "::mlir::pto::RoundMode::NONE">:$rmode,
    DefaultValuedAttr<PTO_SaturationAttr, "::mlir::pto::SaturationMode::OFF">:$sat),
    "verifyConversion"> {
  let description = [{
    Numbers that the type of the destination does not have are rounded: to nearest
    even (`RINT`), to nearest with ties away from zero (`ROUND`), down (`FLOOR`), up
    (`CEIL`), towards zero (`TRUNC`), or to the neighbour with an odd last bit
    (`ODD`). `NONE`, the default, is `TRUNC` from a float to an integer and `RINT`
    otherwise. With `#pto<sat ON>` numbers out of range become the nearest finite
    one.

    ```mlir
    %d = pto.tcvt %s : !pto.tile<16x64xf16> -> !pto.tile<16x64xf32>
    pto.tcvt ins(%s : !pto.tile_buf<vec, 16x64xf32>) outs(%d : !pto.tile_buf<vec, 16x64xi8>)
             {rmode = #pto<round_mode RINT>, sat = #pto<sat ON>}
    ```
  }];
}

#endif // PTO_CONVERSION_TD
