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

/// A module that is compiled, and its functions, which can be run and timed:
/// for programs that use the compiler. Needs `registerAllDialects` and
/// `registerRunDialects` in the context of the module.
///
/// What takes a `function` takes the name of a public one, or nothing if there
/// is only one. Whatever fails emits an error; nothing is printed.
class CompiledModule {
public:
  /// Runs the pipeline `trn-compile` with `options`, which are written as on a
  /// command line: `machine=trn2 strategy=recompute block-m=256`. A kernel that
  /// is compiled already stays as it is.
  static FailureOr<CompiledModule> create(OwningOpRef<ModuleOp> module,
                                          StringRef options = "");

  /// The placed program.
  ModuleOp get() const { return *module; }
  /// The module as it is at `level`: `Tensor` holds planned kernels.
  FailureOr<OwningOpRef<ModuleOp>> compileTo(Level level) const;
  const Machine &getMachine() const { return machine; }
  /// What the compiler did, and what it did not do and why: `PLACE: TEXT`.
  ArrayRef<std::string> getRemarks() const { return remarks; }

  /// The public functions with a body; all functions of a module without any.
  SmallVector<func::FuncOp> getFunctions() const;
  FailureOr<func::FuncOp> findFunction(StringRef function) const;

  /// Copies `value` for input `index` of a function: floats are rounded to
  /// nearest even. Fails unless it has the input's shape, and floats or
  /// integers that fit as the input has.
  FailureOr<HostTensor> bind(StringRef function, size_t index,
                             const ArrayView &value) const;
  /// Runs a function on `inputs` of the types of its signature, which it
  /// changes where its arguments are memrefs that it writes.
  FailureOr<SmallVector<HostTensor>> run(StringRef function,
                                         MutableArrayRef<HostTensor> inputs);

  /// Simulates the kernels that a function calls.
  FailureOr<Report> time(StringRef function = "");
  /// The same with findings, for which other options and plans are tried, and
  /// with a range of the latency.
  FailureOr<Report> explain(StringRef function = "");
  /// Emits an error for each number of that report, and of the calls of its
  /// kernels, that a `trn.budget` does not allow.
  LogicalResult checkBudget(StringRef function = "");
  /// Prints a page with the report of a function, a timeline and a roofline,
  /// and what the module was read from, if that is a text.
  LogicalResult printPage(StringRef function, llvm::raw_ostream &os,
                          const std::optional<SourceText> &read = {});

private:
  using Executables = std::map<std::string, Executable, std::less<>>;

  CompiledModule() = default;
  FailureOr<Executable *> getExecutable(func::FuncOp function, bool timingOnly);

  /// As it came; its machine is set.
  OwningOpRef<ModuleOp> source;
  OwningOpRef<ModuleOp> planned;
  OwningOpRef<ModuleOp> module;
  std::string options;
  Machine machine;
  std::vector<std::string> remarks;
  /// By function, made when they are used first.
  Executables executables, timings;
  /// What `explain` has found, by function: trying advice takes a while.
  std::map<std::string, Report, std::less<>> explained;
};

} // namespace mlir::trn

#endif // TRN_RUN_COMPILEDMODULE_H
