//===- Binding.h - the parts of the extension module ----------------------===//
#ifndef PTO_BINDING_H
#define PTO_BINDING_H

#include "mlir/Bindings/Python/NanobindAdaptors.h"

namespace pto_binding {
void bindTypes(nanobind::module_ &m);
void bindCodegen(nanobind::module_ &m);
void bindPasses(nanobind::module_ &m);
void bindTools(nanobind::module_ &m);
} // namespace pto_binding

#endif // PTO_BINDING_H
