//===- PTOViews.cpp - views of global memory ------------------------------===//
#include "pto/PTO.h"

using namespace mlir;
using namespace mlir::pto;

static ParseResult
parseSizes(OpAsmParser &parser, StringRef keyword,
           SmallVectorImpl<OpAsmParser::UnresolvedOperand> &sizes) {
  return failure(
      parser.parseKeyword(keyword) || parser.parseEqual() ||
      parser.parseOperandList(sizes, OpAsmParser::Delimiter::Square));
}

ParseResult MakeTensorViewOp::parse(OpAsmParser &parser,
                                    OperationState &result) {
  OpAsmParser::UnresolvedOperand ptr;
  SmallVector<OpAsmParser::UnresolvedOperand> shape, strides;
  TensorViewType type;
  if (parser.parseOperand(ptr) || parser.parseComma() ||
      parseSizes(parser, "shape", shape))
    return failure();
  (void)parser.parseOptionalComma();
  if (parseSizes(parser, "strides", strides) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  Type index = parser.getBuilder().getIndexType();
  Type ptrType = PtrType::get(parser.getContext(), type.getElementType());
  if (parser.resolveOperand(ptr, ptrType, result.operands) ||
      parser.resolveOperands(shape, index, result.operands) ||
      parser.resolveOperands(strides, index, result.operands))
    return failure();
  result.getOrAddProperties<Properties>().setOperandSegmentSizes(
      {1, static_cast<int32_t>(shape.size()),
       static_cast<int32_t>(strides.size())});
  result.addTypes(type);
  return success();
}

void MakeTensorViewOp::print(OpAsmPrinter &printer) {
  printer << " " << getPtr() << ", shape = [" << getShape() << "] strides = ["
          << getStrides() << "]";
  printer.printOptionalAttrDict((*this)->getAttrs(), {"operandSegmentSizes"});
  printer << " : " << getView().getType();
}

/// Operands that are constants must be what the type says, and not negative.
static LogicalResult verifySizes(Operation *op, ValueRange sizes,
                                 ArrayRef<int64_t> shape, StringRef what) {
  if (sizes.size() != shape.size())
    return op->emitOpError() << "has " << sizes.size() << " " << what << " for "
                             << shape.size() << " dimensions";
  for (auto [index, size, extent] : llvm::enumerate(sizes, shape)) {
    std::optional<int64_t> constant = constantOf(size);
    if (!constant)
      continue;
    if (*constant < 0)
      return op->emitOpError()
             << what << "[" << index << "] is negative: " << *constant;
    if (!ShapedType::isDynamic(extent) && *constant != extent)
      return op->emitOpError() << what << "[" << index << "] is " << *constant
                               << ", but the type says " << extent;
  }
  return success();
}

LogicalResult MakeTensorViewOp::verify() {
  TensorViewType type = getView().getType();
  if (getPtr().getType().getElementType() != type.getElementType())
    return emitOpError() << "makes a view of " << type.getElementType()
                         << " from a pointer to "
                         << getPtr().getType().getElementType();
  if (getStrides().size() != type.getShape().size())
    return emitOpError() << "has " << getStrides().size() << " strides for "
                         << type.getShape().size() << " dimensions";
  return verifySizes(*this, getShape(), type.getShape(), "shape");
}

LogicalResult TensorViewDimOp::verify() {
  size_t rank = getView().getType().getShape().size();
  if (getDim() < rank)
    return success();
  return emitOpError() << "dimension " << static_cast<int64_t>(getDim())
                       << " of a view of rank " << rank;
}

LogicalResult PartitionViewOp::verify() {
  TensorViewType source = getSource().getType();
  PartitionTensorViewType window = getWindow().getType();
  size_t rank = source.getShape().size();
  if (source.getElementType() != window.getElementType())
    return emitOpError() << "takes a window of " << window.getElementType()
                         << " from a view of " << source.getElementType();
  if (getOffsets().size() != rank)
    return emitOpError() << "has " << getOffsets().size() << " offsets for "
                         << rank << " dimensions";
  if (window.getShape().size() != rank)
    return emitOpError() << "takes a window of rank "
                         << window.getShape().size() << " from a view of rank "
                         << rank;
  if (failed(verifySizes(*this, getSizes(), window.getShape(), "sizes")))
    return failure();
  for (size_t i = 0; i < rank; ++i) {
    std::optional<int64_t> offset = constantOf(getOffsets()[i]);
    if (!offset)
      continue;
    if (*offset < 0)
      return emitOpError() << "offsets[" << i << "] is negative: " << *offset;
    int64_t extent = source.getShape()[i], size = window.getShape()[i];
    if (!ShapedType::isDynamic(extent) && !ShapedType::isDynamic(size) &&
        *offset + size > extent)
      return emitOpError() << "window " << *offset << " to " << *offset + size
                           << " of dimension " << i
                           << " leaves the view, whose size is " << extent;
  }
  return success();
}
