//===- PTOTypes.td - tiles, pointers and views ---------------*- tablegen -*-===//
#ifndef PTO_TYPES_TD
#define PTO_TYPES_TD

include "PTODialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def PTO_TileSpace : I32EnumAttr<"TileSpace", "the memory space of a tile", [
    I32EnumAttrCase<"Vec", 0, "vec">, I32EnumAttrCase<"Mat", 1, "mat">,
    I32EnumAttrCase<"Left", 2, "left">, I32EnumAttrCase<"Right", 3, "right">,
    I32EnumAttrCase<"Acc", 4, "acc">, I32EnumAttrCase<"Bias", 5, "bias">]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

def PTO_BoxLayout : I32EnumAttr<"BoxLayout", "the order of rows and columns", [
    I32EnumAttrCase<"RowMajor", 0, "row_major">,
    I32EnumAttrCase<"ColMajor", 1, "col_major">,
    I32EnumAttrCase<"NoneBox", 2, "none_box">]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

// Spelled as the PTO ISA spells its modes, in capitals.
def PTO_CompareMode : I32EnumAttr<"CompareMode", "a relation between elements", [
    I32EnumAttrCase<"EQ", 0>, I32EnumAttrCase<"NE", 1>, I32EnumAttrCase<"LT", 2>,
    I32EnumAttrCase<"GT", 3>, I32EnumAttrCase<"LE", 4>, I32EnumAttrCase<"GE", 5>]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

def PTO_RoundMode : I32EnumAttr<"RoundMode", "what a number between two becomes", [
    I32EnumAttrCase<"NONE", 0>, I32EnumAttrCase<"RINT", 1>, I32EnumAttrCase<"ROUND", 2>,
    I32EnumAttrCase<"FLOOR", 3>, I32EnumAttrCase<"CEIL", 4>, I32EnumAttrCase<"TRUNC", 5>,
    I32EnumAttrCase<"ODD", 6>]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

def PTO_SaturationMode : I32EnumAttr<"SaturationMode", "what a number out of range becomes", [
    I32EnumAttrCase<"OFF", 0>, I32EnumAttrCase<"ON", 1>]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

// A mode is written by its kind, #pto<cmp LT>, and read in small letters too. On an op its key is
// given by its kind (PTOSyntax.cpp), whatever the program says.
class PTO_ModeAttr<string name, string kind, string what, EnumAttrInfo modes>
    : AttrDef<PTO_Dialect, name> {
  let mnemonic = kind;
  let summary = what;
  let parameters = (ins EnumParameter<modes>:$mode);
  let constBuilderCall = "::mlir::pto::" # name # "Attr::get($_builder.getContext(), $0)";
  let hasCustomAssemblyFormat = 1;
}

def PTO_CompareAttr
    : PTO_ModeAttr<"Compare", "cmp", "how two elements are compared", PTO_CompareMode>;
def PTO_RoundingAttr
    : PTO_ModeAttr<"Rounding", "round_mode", "how a number is rounded", PTO_RoundMode>;
def PTO_SaturationAttr
    : PTO_ModeAttr<"Saturation", "sat", "whether a number is clamped", PTO_SaturationMode>;

def PTO_ViewLayout : I32EnumAttr<"ViewLayout", "the order of rows and columns in a view", [
    I32EnumAttrCase<"ND", 0, "nd">, I32EnumAttrCase<"DN", 1, "dn">,
    I32EnumAttrCase<"NZ", 2, "nz">]> {
  let cppNamespace = "::mlir::pto";
  let genSpecializedAttr = 0;
}

// Programs say #pto.layout<nd> of views; what holds is the strides.
def PTO_LayoutAttr : AttrDef<PTO_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "what a program calls the layout of a view";
  let parameters = (ins EnumParameter<PTO_ViewLayout>:$order);
  let hasCustomAssemblyFormat = 1;
}

class PTO_Type<string name, string typeMnemonic, list<Trait> traits = []>
    : TypeDef<PTO_Dialect, name, traits> {
  let mnemonic = typeMnemonic;
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

// A tile value and a tile buffer carry the same description.
class PTO_TileLike<string name, string typeMnemonic>
    : PTO_Type<name, typeMnemonic> {
  let parameters = (ins
    EnumParameter<PTO_TileSpace>:$space, "int64_t":$rows, "int64_t":$cols,
    "::mlir::Type":$elementType, "int64_t":$validRows, "int64_t":$validCols,
    EnumParameter<PTO_BoxLayout>:$blayout, EnumParameter<PTO_BoxLayout>:$slayout,
    "int64_t":$fractal, "int64_t":$pad);
}

def PTO_TileType : PTO_TileLike<"Tile", "tile"> {
  let summary = "a tile value";
  let description = [{
    `!pto.tile<16x16xf32>`. The parameters are those of `!pto.tile_buf`; the
    space `vec` is left out.
  }];
}

def PTO_TileBufType : PTO_TileLike<"TileBuf", "tile_buf"> {
  let summary = "the storage of a tile";
  let description = [{
    `!pto.tile_buf<vec, 16x64xf32, valid=?x64, blayout=col_major,
    slayout=row_major, fractal=512, pad=1>`, defaults left out. The long form
    `loc=vec, dtype=f32, rows=16, cols=64, v_row=?, v_col=64, ...` is read too.

    `valid` is the valid region (`?`: known at run time). `blayout` orders the
    elements, `slayout` those inside a box of `fractal` bytes. `pad` names the
    value written outside the valid region: 0 none, 1 zero, 2 the largest and 3
    the smallest value of the element type.
  }];
}

def PTO_PtrType : PTO_Type<"Ptr", "ptr"> {
  let summary = "a pointer to elements in global memory";
  let parameters = (ins "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 0;
  let assemblyFormat = "`<` $elementType `>`";
}

class PTO_ViewLike<string name, string typeMnemonic>
    : PTO_Type<name, typeMnemonic> {
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
}

def PTO_TensorViewType : PTO_ViewLike<"TensorView", "tensor_view"> {
  let summary = "a strided array in global memory";
  let description = "`!pto.tensor_view<?x?xf32>`, of rank 1 to 5.";
}

def PTO_PartitionViewType
    : PTO_ViewLike<"PartitionTensorView", "partition_tensor_view"> {
  let summary = "a window of a tensor view";
  let description = "`!pto.partition_tensor_view<16x16xf32>`, of rank 1 to 5.";
}

def PTO_AnyTile : AnyTypeOf<[PTO_TileType, PTO_TileBufType], "tile">;

#endif // PTO_TYPES_TD
