//===- ScheduleFuzzer.cpp - Feed text to the reader of schedules ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/InitAll.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

static MLIRContext &getContext() {
  static MLIRContext *context = [] {
    DialectRegistry registry;
    trn::registerAllDialects(registry);
    auto *made = new MLIRContext(registry, MLIRContext::Threading::DISABLED);
    made->loadAllAvailableDialects();
    return made;
  }();
  return *context;
}

extern "C" int LLVMFuzzerTestOneInput(const char *data, size_t size) {
  std::string text =
      "func.func @kernel(%x: memref<128x128xbf16>, %u: memref<128x128xbf16>, "
      "%v: memref<128x128xbf16>, %o: memref<128x128xbf16> {trn.result}) "
      "attributes {trn.kernel, trn.schedule = " +
      std::string(data, size) + "} { return }";
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &getContext());
  if (!module)
    return 0;
  for (auto kernel : module->getOps<func::FuncOp>()) {
    FailureOr<trn::Schedule> schedule = trn::readSchedule(kernel);
    if (failed(schedule))
      continue;
    // What was read can be written, and reads the same again.
    trn::writeSchedule(kernel, *schedule);
    Attribute written = kernel->getAttr("trn.schedule");
    trn::writeSchedule(kernel, *trn::readSchedule(kernel));
    if (written != kernel->getAttr("trn.schedule"))
      std::abort();
  }
  return 0;
}
