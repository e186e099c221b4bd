//===- Oracle.cpp - Where the right values come from ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Validate/Oracle.h"

#include "WidenSums.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/ErasePrints.h"
#include "trn/Runtime/Reference.h"
#include "trn/Transforms/Outline/Passes.h"

#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::trn;

static bool hasReference(func::FuncOp entry) {
  ScopedDiagnosticHandler quiet(entry.getContext(),
                                [](Diagnostic &) { return success(); });
  return succeeded(checkReference(entry));
}

/// Whether all that a kernel does is to meet other cores.
static bool onlyMeets(func::FuncOp kernel) {
  Block &body = kernel.getBody().front();
  return llvm::hasSingleElement(body.without_terminator()) &&
         isa<AllReduceOp, AllGatherOp, ReduceScatterOp, AllToAllOp,
             CollectivePermuteOp>(body.front());
}

FailureOr<Oracle> Oracle::create(ModuleOp source, StringRef entry,
                                 const Machine &machine) {
  // What the compiler takes as part of a kernel, or leaves to the host.
  PassManager manager(source.getContext());
  manager.addPass(createConvertElementwiseToLinalgPass());
  // Cores meet as they do in kernels; all else is host code.
  manager.addPass(createOutlineCollectives());
  FailureOr<func::FuncOp> function = findEntry(source, entry);
  if (failed(function) || failed(manager.run(source)))
    return failure();
  erasePrints(source); // the run prints
  Oracle oracle(*function);
  if (hasReference(*function))
    return oracle;
  FailureOr<HostCode> code = collectHostCode(*function);
  if (failed(code))
    return failure();
  auto kernel = llvm::find_if_not(code->kernels, onlyMeets);
  if (kernel != code->kernels.end()) {
    // It is what is to be verified.
    InFlightDiagnostic diagnostic =
        function->emitError() << "cannot verify @" << entry
                              << ": it calls kernels, and only the module "
                                 "before its compilation says what is right";
    diagnostic.attachNote(kernel->getLoc()) << "a kernel";
    return diagnostic;
  }
  widenSums(source);
  FailureOr<Executable> executable = Executable::create(*function, machine);
  if (failed(executable))
    return failure();
  oracle.executable = std::move(*executable);
  return oracle;
}

double Oracle::getTolerance() const {
  return trn::getTolerance(getCoarsest(entry));
}

FailureOr<SmallVector<std::shared_ptr<const HostTensor>>>
Oracle::compute(MutableArrayRef<HostTensor> inputs) {
  if (!executable)
    return computeReference(entry, inputs);
  FailureOr<SmallVector<HostTensor>> results = allocateResults(entry);
  if (failed(results) || failed(executable->run(inputs, *results)))
    return failure();
  SmallVector<std::shared_ptr<const HostTensor>> shared;
  for (HostTensor &result : *results)
    shared.push_back(std::make_shared<const HostTensor>(std::move(result)));
  return shared;
}
