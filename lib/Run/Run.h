//===- Run.h - One run of a module ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_RUN_H
#define TRN_LIB_RUN_RUN_H

#include "Dump.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Report/Report.h"
#include "trn/Run/OptionErrors.h"
#include "trn/Run/RunOptions.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/Runtime.h"
#include "trn/Validate/Oracle.h"

namespace mlir::trn {

/// One run of a module, from its options to the numbers of its report. The
/// steps are called in the order in which they stand here, and emit errors.
class Run {
public:
  /// Changes `module` when it executes.
  Run(ModuleOp module, const RunOptions &options)
      : module(module), options(options) {}

  /// Compiles if told so, and computes and writes the results unless only the
  /// time is asked for.
  LogicalResult execute();
  /// Compares the results with reference values, if told so, and says on `os`
  /// how close they are.
  LogicalResult verify(llvm::raw_ostream &os);
  /// Times `rounds` more of what repeats in the calls of kernels, as if the
  /// module had them. Whether there is such.
  bool addRounds(size_t rounds);
  /// By call of a kernel that is timed, the number of its like in the module;
  /// empty if all are there.
  ArrayRef<size_t> getLikes() const { return likes; }
  /// Simulates the kernels, and again for so many steps to find out what costs
  /// time.
  FailureOr<Report> summarize(int64_t findingSteps = 0);

  func::FuncOp getEntry() const { return entry; }
  const Machine &getMachine() const { return machine; }
  const Executable &getExecutable() const { return *executable; }

private:
  LogicalResult error(llvm::Error problem) {
    return emitOptionError(module) << llvm::toString(std::move(problem));
  }
  LogicalResult readOptions();
  /// No output is an input.
  LogicalResult readPlanCache();
  LogicalResult checkFiles();
  LogicalResult chooseMachine();
  LogicalResult specialize();
  LogicalResult compile();
  LogicalResult verifyKernels();
  LogicalResult runKernels();

  ModuleOp module;
  const RunOptions &options;

  SmallVector<ArgumentSource> sources;
  SmallVector<std::string> targets;
  SmallVector<Dump> dumps;
  /// Absent: the module is compiled already. (The options cannot be moved.)
  std::unique_ptr<CompileOptions> compileOptions;
  /// The module as it came, for reference values.
  OwningOpRef<ModuleOp> source;
  std::optional<Oracle> oracle;
  func::FuncOp entry;
  Machine machine;
  std::optional<Executable> executable;
  SmallVector<size_t> likes;
  SmallVector<HostTensor> inputs, results;
  std::vector<std::pair<std::string, double>> host;
};

} // namespace mlir::trn

#endif // TRN_LIB_RUN_RUN_H
