//===- TimeModule.cpp - Time a module without values ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/TimeModule.h"

#include "Budget.h"
#include "Run.h"

using namespace mlir;
using namespace mlir::trn;

FailureOr<TimedModule> mlir::trn::timeModule(ModuleOp module,
                                             const RunOptions &options) {
  Run run(module, options);
  if (failed(run.execute()))
    return failure();
  FailureOr<Report> report = run.summarize();
  if (failed(report))
    return failure();
  TimedModule timed{std::move(*report), {}};
  for (BudgetExcess &excess : findExcesses(
           run.getEntry(), run.getExecutable().getKernels(), timed.report))
    timed.overBudget.push_back(excess.summarize());
  return timed;
}
