//===- ScheduleFuzzer.cpp - Feed text to the reader of schedules ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/InitAll.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Planning/Walk.h"

#include "mlir/AsmParser/AsmParser.h"
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
      "func.func @kernel(%x: memref<512x512xbf16>, %u: memref<512x512xbf16>, "
      "%v: memref<512x512xbf16>, %o: memref<512x512xbf16> {trn.result}) "
      "attributes {trn.kernel, trn.schedule = " +
      std::string(data, size) + "} { return }";
  ScopedDiagnosticHandler quiet(&getContext(),
                                [](Diagnostic &) { return success(); });
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(text, &getContext());
  if (!module)
    return 0;
  for (auto kernel : module->getOps<func::FuncOp>()) {
    auto schedule = kernel->getAttrOfType<trn::ScheduleAttr>("trn.schedule");
    if (!schedule)
      continue;
    // What was read can be written, and reads the same again.
    std::string written;
    llvm::raw_string_ostream(written) << schedule;
    if (parseAttribute(written, &getContext()) != schedule)
      std::abort();
    // What the verifier accepts can be followed.
    trn::planning::PlanVisitor visitor;
    if (schedule.getPlan())
      trn::planning::walk({schedule.getGraph(), *schedule.getPlan()},
                          *trn::limitTiles(*trn::getMachine(kernel)), visitor);
  }
  return 0;
}
