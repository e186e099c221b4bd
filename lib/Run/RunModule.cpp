//===- RunModule.cpp - Compile, run, check and time a module --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/RunModule.h"

#include "Budget.h"
#include "Run.h"
#include "SummarizeRun.h"
#include "TryAdvice.h"
#include "trn/Findings/Findings.h"
#include "trn/Support/OutputFile.h"

using namespace mlir;
using namespace mlir::trn;

/// Writes the files that `options` ask for.
static llvm::Error writeFiles(const Run &run, const Report &report,
                              const RunOptions &options) {
  auto json = [&](llvm::raw_ostream &to) { printJson(report, to); };
  auto trace = [&](llvm::raw_ostream &to) {
    printTrace(run.getEntry(), run.getExecutable(), report, to);
  };
  auto html = [&](llvm::raw_ostream &to) {
    printPage(run.getEntry(), run.getExecutable(), report, options.sourceText,
              to);
  };
  for (auto [path, write] : std::initializer_list<
           std::pair<StringRef, function_ref<void(llvm::raw_ostream &)>>>{
           {options.report, json},
           {options.trace, trace},
           {options.html, html}})
    if (llvm::Error problem = writeFile(path, write))
      return problem;
  return llvm::Error::success();
}

/// Prints and writes the report, and compares it with budgets.
static LogicalResult showReport(ModuleOp module, ModuleOp source, Run &run,
                                const RunOptions &options,
                                llvm::raw_ostream &os) {
  FailureOr<Report> report = run.summarize(maxFindingSteps);
  if (failed(report))
    return failure();
  tryAdvice(*report, run.getExecutable().getKernels(), source, options);
  printText(*report, os);
  // Errors that follow stand below, also where both go to one terminal.
  os.flush();
  if (llvm::Error problem = writeFiles(run, *report, options))
    return emitOptionError(module) << llvm::toString(std::move(problem));
  return checkBudgets(run.getEntry(), run.getExecutable().getKernels(),
                      *report);
}

void mlir::trn::registerRunDialects(DialectRegistry &registry) {
  registerHostCompilation(registry);
}

LogicalResult mlir::trn::runModule(ModuleOp module, const RunOptions &options,
                                   llvm::raw_ostream &os) {
  // Findings are tried on the module as it came.
  OwningOpRef<ModuleOp> source(module.clone());
  Run run(module, options);
  if (failed(run.execute()))
    return failure();
  // A wrong result is no reason to keep the report back.
  LogicalResult verified = run.verify(os);
  return success(succeeded(showReport(module, *source, run, options, os)) &&
                 succeeded(verified));
}
