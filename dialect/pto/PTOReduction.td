//===- PTOReduction.td - reductions of tiles -----------------*- tablegen -*-===//
#ifndef PTO_REDUCTION_TD
#define PTO_REDUCTION_TD

include "PTOInterfaces.td"
include "PTOTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class PTO_ColumnReduction<string mnemonic, string what>
    : PTO_Op<mnemonic, [DeclareOpInterfaceMethods<PTO_TileOpInterface>]> {
  let summary = what;
  let description = [{
    A left fold down each valid column in row order, rounded to the element type
    at every step; integers wrap. `fastmath<reassoc>` leaves the order open. An
    empty valid region writes nothing.

    ```mlir
    %d = pto.}] # mnemonic # [{ %s : !pto.tile<16x16xf32> -> !pto.tile<1x16xf32>
    pto.}] # mnemonic # [{ ins(%s : !pto.tile_buf<vec, 16x16xf32>)
                 outs(%d : !pto.tile_buf<vec, 1x16xf32>)
    ```
  }];
  let arguments = (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$src,
    Arg<Optional<PTO_TileBufType>, "", [MemWrite]>:$dst,
    DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs Optional<PTO_TileType>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_TColProdOp : PTO_ColumnReduction<"tcolprod", "the product of each column">;
def PTO_TColSumOp : PTO_ColumnReduction<"tcolsum", "the sum of each column">;
def PTO_TColMaxOp : PTO_ColumnReduction<"tcolmax", "the largest element of each column">;
def PTO_TColMinOp : PTO_ColumnReduction<"tcolmin", "the smallest element of each column">;

class PTO_RowReduction<string mnemonic, string what>
    : PTO_Op<mnemonic, [DeclareOpInterfaceMethods<PTO_TileOpInterface>]> {
  let summary = what;
  let description = [{
    A left fold along each valid row in column order, rounded to the element type
    at every step; integers wrap. `fastmath<reassoc>` leaves the order open. An
    empty valid region writes nothing. A scratch tile as a second input is read
    past: nothing needs it.

    ```mlir
    %d = pto.}] # mnemonic # [{ %s : !pto.tile<16x64xf32> -> !pto.tile<16x1xf32>
    pto.}] # mnemonic # [{ ins(%s : !pto.tile_buf<vec, 16x64xf32>)
                outs(%d : !pto.tile_buf<vec, 16x1xf32>)
    ```
  }];
  let arguments = (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$src,
    Arg<Optional<PTO_TileBufType>, "", [MemWrite]>:$dst,
    DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath);
  let results = (outs Optional<PTO_TileType>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def PTO_TRowProdOp : PTO_RowReduction<"trowprod", "the product of each row">;
def PTO_TRowSumOp : PTO_RowReduction<"trowsum", "the sum of each row">;
def PTO_TRowMaxOp : PTO_RowReduction<"trowmax", "the largest element of each row">;
def PTO_TRowMinOp : PTO_RowReduction<"trowmin", "the smallest element of each row">;

#endif // PTO_REDUCTION_TD
