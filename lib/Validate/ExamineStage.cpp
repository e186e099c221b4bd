//===- ExamineStage.cpp - Does a stage compute what it did? ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ExamineStage.h"

#include "trn/Dialect/Trn/IR/ModuleCopy.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/Reference.h"
#include "trn/Validate/CheckResults.h"

using namespace mlir;
using namespace mlir::trn;

static LogicalResult compare(func::FuncOp entry, const FunctionValues &was,
                             ArrayRef<NamedValue> is) {
  if (was.values.empty())
    return success();
  if (was.values.size() != is.size())
    return entry.emitError()
           << "@" << entry.getSymName() << " has " << is.size()
           << " inputs and results, but had " << was.values.size();
  SmallVector<CheckedValue> values;
  for (auto [before, after] : llvm::zip(was.values, is))
    // Whoever changes the type of a result may have transposed it.
    values.push_back({after.name, after.value, before.value,
                      before.value.getShape() != after.value.getShape()});
  return checkResults(entry, values, was.tolerance, llvm::nulls());
}

StageOutcome mlir::trn::examineStage(MLIRContext *context, StringRef bytecode,
                                     const FunctionValues &was, uint64_t seed) {
  ModuleCopy copy(context, bytecode);
  auto fail = [&](StageOutcome::Kind kind) {
    return StageOutcome{kind, {}, copy.getProblem().str()};
  };
  if (!copy.get())
    return fail(StageOutcome::CannotRun);
  FailureOr<func::FuncOp> entry = findEntry(copy.get(), was.name);
  if (failed(entry))
    return fail(StageOutcome::CannotRun);
  double tolerance = getTolerance(getCoarsest(*entry));
  FailureOr<Executable> executable = compileStage(*entry);
  if (failed(executable))
    return fail(StageOutcome::CannotRun);
  auto values = runStage(*entry, *executable, seed);
  if (failed(values) || failed(compare(*entry, was, *values)))
    return fail(StageOutcome::Wrong);
  return {StageOutcome::Same,
          {was.name, was.values.empty() ? tolerance : was.tolerance,
           std::move(*values)},
          ""};
}
