//===- CompiledModule.h - Compile once, run and time ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_COMPILEDMODULE_H
#define TRN_RUN_COMPILEDMODULE_H

#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Page/Html.h"
#include "trn/Report/Report.h"
#include "trn/Runtime/Arguments.h"
#include "trn/Runtime/Runtime.h"
#include <map>

namespace mlir::trn {

/// A compiled module, whose functions can be run and timed, for programs that
/// embed the compiler. The module's context needs `registerAllDialects` and
/// `registerRunDialects`.
///
/// A `function` is the name of a public one, or empty if there is only one.
/// Failures emit an error; nothing is printed.
class CompiledModule {
public:
  /// Runs the pipeline `trn-compile` with `options` in command-line syntax:
  /// `machine=trn2 strategy=recompute block-m=256`. Kernels that are already
  /// compiled stay as they are.
  static FailureOr<CompiledModule> create(OwningOpRef<ModuleOp> module,
                                          StringRef options = "");

  /// The placed program.
  ModuleOp get() const { return *module; }
  /// The module at `level`; `Tensor` has planned kernels.
  FailureOr<OwningOpRef<ModuleOp>> compileTo(Level level) const;
  const Machine &getMachine() const { return machine; }
  /// Remarks on what was and was not compiled, and why: `PLACE: TEXT`.
  ArrayRef<std::string> getRemarks() const { return remarks; }

  /// The public functions with a body; all functions of a module without any.
  SmallVector<func::FuncOp> getFunctions() const;
  FailureOr<func::FuncOp> findFunction(StringRef function) const;

  /// Copies `value` for input `index` of a function; floats are rounded to
  /// nearest even. Fails unless its shape is the input's and, like the input,
  /// it has floats, or integers that fit.
  FailureOr<HostTensor> bind(StringRef function, size_t index,
                             const ArrayView &value) const;
  /// Runs a function on `inputs` with the types of its signature. Inputs that
  /// are memrefs change if the function writes them. Results of weights alone
  /// are kept until a run gets other weights.
  FailureOr<SmallVector<HostTensor>> run(StringRef function,
                                         MutableArrayRef<HostTensor> inputs);

  /// Simulates the kernels that a function calls.
  FailureOr<Report> time(StringRef function = "");
  /// The same with findings, which try other options and plans, and with a
  /// range of the latency.
  FailureOr<Report> explain(StringRef function = "");
  /// Emits an error for each number of this report, or of its kernels' calls,
  /// that exceeds a `trn.budget`.
  LogicalResult checkBudget(StringRef function = "");
  /// Prints a page with the report of a function, a timeline, a roofline, and
  /// the source, if that is text.
  LogicalResult printPage(StringRef function, llvm::raw_ostream &os,
                          const std::optional<SourceText> &read = {});

private:
  using Executables = std::map<std::string, Executable, std::less<>>;
  using Fingerprint = std::vector<uint64_t>;

  CompiledModule() = default;
  FailureOr<Executable *> getExecutable(func::FuncOp function, bool timingOnly);
  LogicalResult load(func::FuncOp function, Executable &executable,
                     MutableArrayRef<HostTensor> inputs);

  /// The source, with its machine set.
  OwningOpRef<ModuleOp> source;
  OwningOpRef<ModuleOp> planned;
  OwningOpRef<ModuleOp> module;
  std::string options;
  Machine machine;
  std::vector<std::string> remarks;
  /// By function, made on first use.
  Executables executables, timings;
  /// Of the loaded weights, by function.
  std::map<std::string, Fingerprint, std::less<>> loaded;
  /// Results of `explain` by function, because trying remedies takes long.
  std::map<std::string, Report, std::less<>> explained;
};

} // namespace mlir::trn

#endif // TRN_RUN_COMPILEDMODULE_H
