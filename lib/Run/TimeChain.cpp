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

static FailureOr<Metrics> compileAndTime(ModuleOp module,
                                         const Machine &machine) {
  setMachine(module, machine);
  RunOptions options;
  options.compile = "";
  options.timingOnly = true;
  FailureOr<TimedModule> timed = timeModule(module, options);
  if (failed(timed))
    return failure();
  return timed->report.total;
}

llvm::Expected<Metrics> ChainTimer::measure(const ChainSpec &spec) const {
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
  FailureOr<Metrics> metrics = compileAndTime(**module, machine);
  if (failed(metrics))
    return llvm::createStringError(problem);
  return *metrics;
}

llvm::Expected<double> ChainTimer::time(const ChainSpec &spec) {
  Key key{
      spec.m,    spec.k,          spec.rank.value_or(0), spec.n,
      spec.type, spec.weightType, spec.transposedInput,  spec.transposedOutput};
  if (auto it = known.find(key); it != known.end())
    return it->second;
  llvm::Expected<Metrics> metrics = measure(spec);
  if (!metrics)
    return metrics.takeError();
  return known[key] = double(metrics->sum.latency) / 1e9;
}
