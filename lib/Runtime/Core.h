//===- Core.h - What one core runs ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_CORE_H
#define TRN_LIB_RUNTIME_CORE_H

#include "HostCompiler.h"

namespace mlir::trn {

/// A function that one core runs, and the state of its runs.
class Core {
public:
  Core(func::FuncOp entry, const Machine &machine,
       const ExecutableOptions &options);

  /// Compiles the host code, if there is some. Emits errors.
  LogicalResult compile(const HostCode &code);
  /// The same; shares the code of `other`, another core of the same program, if
  /// it can.
  LogicalResult compileLike(const Core &other, const HostCode &code);

  /// As `Executable::load` and `Executable::run`, on what this core has of the
  /// tensors.
  LogicalResult load(ArrayRef<HostTensor *> inputs);
  LogicalResult execute(ArrayRef<HostTensor *> inputs,
                        ArrayRef<HostTensor *> results,
                        MutableArrayRef<KernelSnapshot> snapshots);

  /// As `Executable::hasLoad`.
  bool hasLoad() const { return compiled.load.has_value(); }
  bool isLoaded() const { return loaded.has_value(); }

  HostRun run;
  /// For each input, whether it is a buffer of the caller's, and whether it is
  /// a weight.
  SmallVector<bool> mayWrite, isWeight;
  /// This core's pieces of weights, by input, as of the last load.
  std::map<size_t, HostTensor> pieces;

private:
  /// What `load` gave, and whether somebody wrote all of it.
  struct LoadedTensor {
    HostTensor tensor;
    bool isWritten;
  };

  /// The arguments of the entry in their order, those that are inputs and those
  /// that are results, which may be none.
  SmallVector<HostTensor *> arrange(ArrayRef<HostTensor *> inputs,
                                    ArrayRef<HostTensor *> results) const;
  void lendInputs(ArrayRef<HostTensor *> inputs);
  /// `tensors`: for each argument of `types`, then for each result.
  void callCompiled(CompiledFunction function, TypeRange types,
                    ArrayRef<HostTensor *> tensors);
  LogicalResult checkResults(ArrayRef<HostTensor *> results);

  func::FuncOp entry;
  /// Empty if the entry is a kernel itself.
  CompiledEntry compiled;
  /// For each argument of the entry, whether it is a result.
  SmallVector<bool> isResult;
  /// Nothing before the first load.
  std::optional<SmallVector<LoadedTensor>> loaded;
};

/// Gives core `rank` of `count` its pieces of the weights, and loads.
LogicalResult loadCore(func::FuncOp entry, Core &core, int64_t rank,
                       int64_t count, MutableArrayRef<HostTensor> inputs);

/// Runs one of the cores of `group` on its pieces of the tensors. In the end
/// all of them hand over what they have; if this core `keeps` it, it puts
/// results together, and arguments that were written. Emits errors, also if a
/// result that has no pieces is not the same everywhere. The caller lets it
/// leave.
LogicalResult runCore(func::FuncOp entry, Core &core, CoreGroup &group,
                      MutableArrayRef<HostTensor> inputs,
                      MutableArrayRef<HostTensor> results,
                      MutableArrayRef<KernelSnapshot> snapshots, bool keeps);

/// Runs all cores at once, in a thread each. Emits the errors of one core, that
/// at fault if there is one.
LogicalResult runCores(func::FuncOp entry,
                       ArrayRef<std::unique_ptr<Core>> cores,
                       MutableArrayRef<HostTensor> inputs,
                       MutableArrayRef<HostTensor> results,
                       MutableArrayRef<KernelSnapshot> snapshots);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_CORE_H
