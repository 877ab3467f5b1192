//===- PTOElementwise.td - tiles combined element by element ----*- tablegen -*-===//
#ifndef PTO_ELEMENTWISE_TD
#define PTO_ELEMENTWISE_TD

include "PTOInterfaces.td"
include "PTOTypes.td"
include "mlir/Dialect/Arith/IR/ArithBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

// Which element types an op takes, as functions of a profile (PTOElementwise.cpp).
defvar Arithmetic = "arithmeticTypes";
defvar Fused = "fusedTypes";
defvar Division = "divisionTypes";
defvar Bits = "bitTypes";
defvar Absolute = "absoluteTypes";
defvar Negation = "negationTypes";
defvar Rectifier = "rectifierTypes";
defvar Floats = "floatTypes";

// An op on the elements of its inputs. What it computes is said by its entry in
// python/pto/ops, how it is written and checked by its form.
class PTO_TileOp<string mnemonic, string what, string types, int count, dag inputs, string checks,
                 string hasScratch = "false">
    : PTO_Op<mnemonic, [DeclareOpInterfaceMethods<PTO_TileOpInterface>]> {
  let summary = what;
  let arguments = !con(inputs, (ins
    Arg<Optional<PTO_TileBufType>, "", [MemWrite]>:$dst,
    DefaultValuedAttr<Arith_FastMathAttr, "::mlir::arith::FastMathFlags::none">:$fastmath));
  let results = (outs Optional<PTO_TileType>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::ArrayRef<::llvm::StringRef> $cppClass::getElementTypes(::llvm::StringRef profile) {
      return }] # types # [{(profile);
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return parseTileOp(parser, result, }] # count # [{, /*hasFastMath=*/true, }]
        # hasScratch # [{);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) { printTileOp(printer, *this); }
    ::llvm::LogicalResult $cppClass::verify() {
      return }] # checks # [{(*this, }] # count # [{, }] # types # [{);
    }
  }];
}

class PTO_Unary<string mnemonic, string what, string types>
    : PTO_TileOp<mnemonic, what, types, 1, (ins Arg<PTO_AnyTile, "", [MemRead]>:$src),
                 "verifyElementwise"> {
  let description = [{
    ```mlir
    %d = pto.}] # mnemonic # [{ %s : !pto.tile<16x16xf32> -> !pto.tile<16x16xf32>
    pto.}] # mnemonic # [{ ins(%s : !pto.tile_buf<vec, 16x16xf32>)
           outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    ```
  }];
}

class PTO_Binary<string mnemonic, string what, string types>
    : PTO_TileOp<mnemonic, what, types, 2, (ins
        Arg<PTO_AnyTile, "", [MemRead]>:$lhs, Arg<PTO_AnyTile, "", [MemRead]>:$rhs),
                 "verifyElementwise"> {
  let description = [{
    ```mlir
    %d = pto.}] # mnemonic # [{ %a, %b : !pto.tile<16x16xf32>, !pto.tile<16x16xf32>
       -> !pto.tile<16x16xf32>
    pto.}] # mnemonic # [{ ins(%a, %b : !pto.tile_buf<vec, 16x16xf32>, !pto.tile_buf<vec, 16x16xf32>)
           outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    ```
  }];
}

// A tile and a scalar, in either order: the order is the meaning.
class PTO_TileScalar<string mnemonic, string what, string types>
    : PTO_TileOp<mnemonic, what, types, 2, (ins
        Arg<AnyType, "", [MemRead]>:$lhs, Arg<AnyType, "", [MemRead]>:$rhs),
                 "verifyTileScalar"> {
  let description = [{
    The scalar has the element type of the tile, without a sign: `i8` for `ui8`.

    ```mlir
    %d = pto.}] # mnemonic # [{ %a, %x : !pto.tile<16x16xf32>, f32 -> !pto.tile<16x16xf32>
    pto.}] # mnemonic # [{ ins(%x, %a : f32, !pto.tile_buf<vec, 16x16xf32>)
            outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    ```
  }];
}

def PTO_TAddOp : PTO_Binary<"tadd", "the sum of two tiles", Arithmetic>;
def PTO_TSubOp : PTO_Binary<"tsub", "the difference of two tiles", Arithmetic>;
def PTO_TMulOp : PTO_Binary<"tmul", "the product of two tiles", Arithmetic>;
def PTO_TMaxOp : PTO_Binary<"tmax", "the larger of two elements", Arithmetic>;
def PTO_TMinOp : PTO_Binary<"tmin", "the smaller of two elements", Arithmetic>;
def PTO_TDivOp : PTO_Binary<"tdiv", "the quotient of two tiles", Division>;
def PTO_TRemOp : PTO_Binary<"trem", "the remainder of a division, with the divisor's sign", Division>;

def PTO_TFmaOp : PTO_TileOp<"tfma", "the product of two tiles plus a third", Fused, 3, (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$lhs, Arg<PTO_AnyTile, "", [MemRead]>:$rhs,
    Arg<PTO_AnyTile, "", [MemRead]>:$addend), "verifyElementwise">;

def PTO_TAndOp : PTO_Binary<"tand", "the bits that both elements have", Bits>;
def PTO_TOrOp : PTO_Binary<"tor", "the bits that either element has", Bits>;
def PTO_TXorOp : PTO_Binary<"txor", "the bits in which two elements differ", Bits>;
def PTO_TShlOp : PTO_Binary<"tshl", "elements shifted left", Bits>;
def PTO_TShrOp : PTO_Binary<"tshr", "elements shifted right", Bits>;
def PTO_TNotOp : PTO_Unary<"tnot", "the complement of each element", Bits>;
def PTO_TAbsOp : PTO_Unary<"tabs", "the absolute value of each element", Absolute>;
def PTO_TNegOp : PTO_Unary<"tneg", "each element with the other sign", Negation>;
def PTO_TReluOp : PTO_Unary<"trelu", "each element, or zero if it is negative", Rectifier>;

// `fastmath<afn>` permits an approximation.
def PTO_TExpOp : PTO_Unary<"texp", "e to the power of each element", Floats>;
def PTO_TLogOp : PTO_Unary<"tlog", "the natural logarithm of each element", Floats>;
def PTO_TSqrtOp : PTO_Unary<"tsqrt", "the square root of each element", Floats>;
def PTO_TRSqrtOp : PTO_Unary<"trsqrt", "one over the square root of each element", Floats>;
def PTO_TRecipOp : PTO_Unary<"trecip", "one over each element", Floats>;

// Masks hold one bit per element of the tiles beside them: that of column c is bit c mod 8 of the
// byte in column c / 8.

def PTO_TCmpOp : PTO_TileOp<"tcmp", "a bit per element: whether a relation holds", Arithmetic, 2, (ins
    Arg<PTO_AnyTile, "", [MemRead]>:$lhs, Arg<PTO_AnyTile, "", [MemRead]>:$rhs,
    PTO_CompareAttr:$cmp), "verifyCompare"> {
  let description = [{
    The destination is a mask of `i8` or `ui8`.

    ```mlir
    pto.tcmp ins(%a, %b : !pto.tile_buf<vec, 16x64xf32>, !pto.tile_buf<vec, 16x64xf32>)
             outs(%m : !pto.tile_buf<vec, 16x8xui8>) {cmp = #pto<cmp LT>}
    ```
  }];
}

def PTO_TSelOp : PTO_TileOp<"tsel", "the elements of one tile where a bit is set, else those of another",
    Arithmetic, 3, (ins Arg<PTO_AnyTile, "", [MemRead]>:$mask,
    Arg<PTO_AnyTile, "", [MemRead]>:$if_set, Arg<PTO_AnyTile, "", [MemRead]>:$otherwise),
    "verifySelect">;

def PTO_TAddSOp : PTO_TileScalar<"tadds", "the sum of a tile and a scalar", Arithmetic>;
def PTO_TSubSOp : PTO_TileScalar<"tsubs", "the difference of a tile and a scalar", Arithmetic>;
def PTO_TMulSOp : PTO_TileScalar<"tmuls", "the product of a tile and a scalar", Arithmetic>;
def PTO_TMaxSOp : PTO_TileScalar<"tmaxs", "the larger of an element and a scalar", Arithmetic>;
def PTO_TMinSOp : PTO_TileScalar<"tmins", "the smaller of an element and a scalar", Arithmetic>;
def PTO_TDivSOp : PTO_TileScalar<"tdivs", "the quotient of a tile and a scalar", Division>;
def PTO_TRemSOp : PTO_TileScalar<"trems", "the remainder of a tile and a scalar", Division>;
def PTO_TAndSOp : PTO_TileScalar<"tands", "the bits that an element and a scalar have", Bits>;
def PTO_TOrSOp : PTO_TileScalar<"tors", "the bits that an element or a scalar has", Bits>;
def PTO_TXorSOp : PTO_TileScalar<"txors", "the bits in which an element and a scalar differ", Bits>;
def PTO_TShlSOp : PTO_TileScalar<"tshls", "elements shifted left by a scalar, or a scalar by them", Bits>;
def PTO_TShrSOp : PTO_TileScalar<"tshrs", "elements shifted right by a scalar, or a scalar by them", Bits>;

def PTO_TExpandSOp : PTO_TileOp<"texpands", "a scalar in every element", "allTypes", 1,
    (ins Arg<AnyType, "", [MemRead]>:$src), "verifyElementwise"> {
  let description = [{
    ```mlir
    pto.texpands ins(%x : f32) outs(%d : !pto.tile_buf<vec, 16x16xf32>)
    ```
  }];
}

def PTO_TCmpSOp : PTO_TileOp<"tcmps", "a bit per element: whether a relation with a scalar holds",
    Arithmetic, 2, (ins Arg<AnyType, "", [MemRead]>:$lhs, Arg<AnyType, "", [MemRead]>:$rhs,
    PTO_CompareAttr:$cmp), "verifyCompare">;

def PTO_TSelSOp : PTO_TileOp<"tsels", "the elements of a tile where a bit is set, else a scalar",
    Arithmetic, 3, (ins Arg<PTO_AnyTile, "", [MemRead]>:$mask,
    Arg<AnyType, "", [MemRead]>:$if_set, Arg<AnyType, "", [MemRead]>:$otherwise), "verifySelect">;

#endif // PTO_ELEMENTWISE_TD
