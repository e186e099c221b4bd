//===- Dialect.cpp - C API of the trn dialect -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn-c/Dialect.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Factorize/Passes.h"
#include "trn/InitAll.h"
#include "trn/Run/RunModule.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include <mutex>

using namespace mlir;
using namespace mlir::trn;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Trn, trn, TrnDialect)

static_assert(int(MlirTrnMemorySpaceHbm) == int(MemorySpace::Hbm) &&
              int(MlirTrnMemorySpaceSbuf) == int(MemorySpace::Sbuf) &&
              int(MlirTrnMemorySpacePsum) == int(MemorySpace::Psum));

void mlirTrnRegisterAllDialects(MlirDialectRegistry registry) {
  if (!unwrap(registry))
    return;
  registerAllDialects(*unwrap(registry));
  registerRunDialects(*unwrap(registry));
}

void mlirTrnRegisterAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerAllPasses();
    registerTrnFactorizePasses();
  });
}

template <typename Attr>
static bool isA(MlirAttribute attr) {
  return isa_and_present<Attr>(unwrap(attr));
}

bool mlirAttributeIsATrnMemoryAttr(MlirAttribute attr) {
  return isA<MemorySpaceAttr>(attr);
}

MlirAttribute mlirTrnMemoryAttrGet(MlirContext context,
                                   MlirTrnMemorySpace space) {
  if (!context.ptr || !symbolizeMemorySpace(uint32_t(space)))
    return {nullptr};
  unwrap(context)->loadDialect<TrnDialect>();
  return wrap(MemorySpaceAttr::get(unwrap(context), MemorySpace(space)));
}

MlirTrnMemorySpace mlirTrnMemoryAttrGetSpace(MlirAttribute attr) {
  if (auto memory = dyn_cast_if_present<MemorySpaceAttr>(unwrap(attr)))
    return MlirTrnMemorySpace(memory.getValue());
  return MlirTrnMemorySpaceHbm;
}

bool mlirAttributeIsATrnMachineAttr(MlirAttribute attr) {
  return isA<MachineAttr>(attr);
}

MlirAttribute mlirTrnMachineAttrGet(MlirContext context, MlirStringRef name,
                                    MlirAttribute overrides) {
  auto differs = dyn_cast_if_present<DictionaryAttr>(unwrap(overrides));
  if (!context.ptr || (overrides.ptr && !differs))
    return {nullptr};
  unwrap(context)->loadDialect<TrnDialect>();
  Location loc = UnknownLoc::get(unwrap(context));
  return wrap(MachineAttr::getChecked([&] { return emitError(loc); },
                                      unwrap(context), unwrap(name), differs));
}

MlirStringRef mlirTrnMachineAttrGetName(MlirAttribute attr) {
  auto machine = dyn_cast_if_present<MachineAttr>(unwrap(attr));
  return wrap(machine ? machine.getName() : StringRef());
}

bool mlirAttributeIsATrnScheduleAttr(MlirAttribute attr) {
  return isA<ScheduleAttr>(attr);
}
