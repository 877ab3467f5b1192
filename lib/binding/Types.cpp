//===- Types.cpp - the types of both dialects for Python ------------------===//
#include "Binding.h"

#include "pto/PTO.h"
#include "tirx/TIRX.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;
using namespace mlir;
using namespace mlir::python::nanobind_adaptors;

/// A size or stride; `?` is None in Python.
using Size = std::optional<int64_t>;

static Size fromIR(int64_t size) {
  return ShapedType::isDynamic(size) ? Size() : Size(size);
}

static std::vector<Size> fromIR(ArrayRef<int64_t> sizes) {
  std::vector<Size> result;
  for (int64_t size : sizes)
    result.push_back(fromIR(size));
  return result;
}

/// Dimension, extent, stride and axis of each shard.
static std::vector<std::tuple<int64_t, int64_t, int64_t, std::string>>
fromIR(ArrayRef<tirx::BufferType::Shard> shards) {
  std::vector<std::tuple<int64_t, int64_t, int64_t, std::string>> result;
  for (const tirx::BufferType::Shard &shard : shards)
    result.emplace_back(shard.dim, shard.extent, shard.stride,
                        stringifyAxis(shard.axis).str());
  return result;
}

static SmallVector<int64_t> toIR(const std::vector<Size> &sizes) {
  SmallVector<int64_t> result;
  for (Size size : sizes)
    result.push_back(size.value_or(ShapedType::kDynamic));
  return result;
}

template <typename T> static bool isaType(MlirType type) {
  return isa<T>(unwrap(type));
}
template <typename T> static MlirTypeID typeID() {
  return wrap(T::getTypeID());
}

template <typename T>
static mlir_type_subclass bindType(nb::module_ &m, const char *name) {
  mlir_type_subclass type(m, name, isaType<T>, typeID<T>);
  type.def_property_readonly("element_type", [](MlirType self) {
    return wrap(cast<T>(unwrap(self)).getElementType());
  });
  return type;
}

template <typename T> static void bindTile(nb::module_ &m, const char *name) {
  auto desc = [](MlirType self) { return pto::TileDesc::of(unwrap(self)); };
  bindType<T>(m, name)
      .def_property_readonly(
          "space",
          [=](MlirType self) {
            return stringifyTileSpace(desc(self).space).str();
          })
      .def_property_readonly("shape",
                             [=](MlirType self) {
                               return std::pair(desc(self).rows,
                                                desc(self).cols);
                             })
      .def_property_readonly("valid",
                             [=](MlirType self) {
                               return std::pair(fromIR(desc(self).validRows),
                                                fromIR(desc(self).validCols));
                             })
      .def_property_readonly("pad",
                             [=](MlirType self) { return desc(self).pad; });
}

template <typename T> static void bindView(nb::module_ &m, const char *name) {
  bindType<T>(m, name).def_property_readonly("shape", [](MlirType self) {
    return fromIR(cast<T>(unwrap(self)).getShape());
  });
}

static void bindBuffer(nb::module_ &m) {
  using tirx::BufferType;
  auto buffer = [](MlirType self) { return cast<BufferType>(unwrap(self)); };
  bindType<BufferType>(m, "BufferType")
      .def_classmethod(
          "get",
          [](nb::object cls, std::vector<Size> shape, MlirType elementType,
             const std::string &scope,
             std::optional<std::vector<Size>> strides) {
            auto symbol = tirx::symbolizeMemoryScope(scope);
            if (!symbol)
              throw nb::value_error("scope is global, shared or local");
            MLIRContext *context = unwrap(elementType).getContext();
            auto type = BufferType::get(context, toIR(shape),
                                        unwrap(elementType), *symbol, {});
            if (!strides ||
                SmallVector<int64_t>(type.getStrides()) == toIR(*strides))
              return cls(wrap(Type(type)));
            auto layout =
                tirx::LayoutAttr::get(context, toIR(*strides), {}, {}, {});
            return cls(wrap(Type(BufferType::get(
                context, toIR(shape), unwrap(elementType), *symbol, layout))));
          },
          nb::arg("cls"), nb::arg("shape"), nb::arg("element_type"),
          nb::arg("scope"), nb::arg("strides").none() = nb::none())
      .def_property_readonly(
          "shape",
          [=](MlirType self) { return fromIR(buffer(self).getShape()); })
      .def_property_readonly(
          "strides",
          [=](MlirType self) {
            return fromIR(ArrayRef<int64_t>(buffer(self).getStrides()));
          })
      .def_property_readonly(
          "scope",
          [=](MlirType self) {
            return stringifyMemoryScope(buffer(self).getScope()).str();
          })
      .def_property_readonly(
          "is_distributed",
          [=](MlirType self) { return buffer(self).isDistributed(); })
      .def_property_readonly(
          "shards",
          [=](MlirType self) { return fromIR(buffer(self).getShards()); })
      .def_property_readonly(
          "replicas",
          [=](MlirType self) { return fromIR(buffer(self).getReplicas()); })
      .def_property_readonly("swizzle", [=](MlirType self) {
        return buffer(self).getSwizzle().vec();
      });
}

void pto_binding::bindTypes(nb::module_ &m) {
  bindTile<pto::TileType>(m, "TileType");
  bindTile<pto::TileBufType>(m, "TileBufType");
  bindType<pto::PtrType>(m, "PtrType");
  bindView<pto::TensorViewType>(m, "TensorViewType");
  bindView<pto::PartitionTensorViewType>(m, "PartitionTensorViewType");
  bindBuffer(m);
  mlir_type_subclass(m, "MBarrierType", isaType<tirx::MBarrierType>,
                     typeID<tirx::MBarrierType>);
}
