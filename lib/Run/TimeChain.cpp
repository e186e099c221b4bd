//===- TimeChain.cpp - Modelled times of products -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/TimeChain.h"

#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Run/RunModule.h"
#include "trn/Run/TimeModule.h"

using namespace mlir;
using namespace mlir::trn;

static FailureOr<double> compileAndTime(ModuleOp module,
                                        const Machine &machine) {
  setMachine(module, machine);
  RunOptions options;
  options.compile = "";
  options.timingOnly = true;
  FailureOr<TimedModule> timed = timeModule(module, options);
  if (failed(timed))
    return failure();
  return double(timed->report.total.sum.latency) / 1e9;
}

llvm::Expected<double> ChainTimer::time(const ChainSpec &spec) {
  Key key{spec.m,
          spec.k,
          spec.rank.value_or(0),
          spec.n,
          spec.type,
          spec.transposedInput,
          spec.transposedOutput};
  if (auto it = known.find(key); it != known.end())
    return it->second;
  DialectRegistry registry;
  registry.insert<TrnDialect>();
  registerRunDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string problem;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
        problem.empty())
      problem = diagnostic.str();
    return success();
  });
  auto module = generateChain(&context, spec);
  if (!module)
    return module.takeError();
  FailureOr<double> time = compileAndTime(**module, machine);
  if (failed(time))
    return llvm::createStringError(problem);
  return known[key] = *time;
}
