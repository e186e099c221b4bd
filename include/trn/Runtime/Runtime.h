//===- Runtime.h - Modules that run -----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_RUNTIME_H
#define TRN_RUNTIME_RUNTIME_H

#include "trn/Decode/Decode.h"
#include "trn/Interpreter/Snapshot.h"
#include "trn/Machine/Machine.h"
#include "trn/Runtime/HostCode.h"
#include "trn/Support/HostTensor.h"

namespace mlir {
class DialectRegistry;

namespace trn {

class CoreGroup;

/// Registers what compiling host code needs beyond `registerAllDialects`.
void registerHostCompilation(DialectRegistry &registry);

struct ExecutableOptions {
  /// Of the interpreter; 0 = one for each core.
  unsigned threads = 0;
  /// Those that run the other cores' part, as one process each; null: all cores
  /// run here.
  CoreGroup *cores = nullptr;
  /// Find the calls of kernels without compiling or running anything.
  bool timingOnly = false;
  /// Told of the steps of each call of a kernel, 0 and all of them included.
  std::function<void(size_t done, size_t total)> progress = {};
};

/// What to keep of a run: of call `call` of kernel `kernel`, both from 0 on.
struct KernelSnapshot {
  size_t kernel;
  int64_t call;
  Snapshot snapshot;
};

/// A function of a module, ready to run: its kernels are decoded, and the host
/// code around them is compiled for this machine. On several cores it runs in
/// as many threads. The module must outlive this.
class Executable {
public:
  /// `entry` may be a kernel itself. Emits errors.
  static FailureOr<Executable> create(func::FuncOp entry,
                                      const Machine &machine,
                                      const ExecutableOptions &options = {});
  Executable(Executable &&);
  Executable &operator=(Executable &&);
  ~Executable();

  /// The functions that the entry may call.
  const HostCode &getHostCode() const;

  /// Those of them that are kernels.
  ArrayRef<DecodedKernel> getKernels() const;

  /// The kernel calls of the last run in order, or of the run to come if
  /// created for timing only. Arguments are host addresses, or numbers that
  /// stand for them.
  ArrayRef<RecordedCall> getCalls() const;

  /// Seconds that the last run spent in kernels.
  double getKernelSeconds() const;

  /// Runs the entry. `inputs` are its arguments without `trn.result`, `results`
  /// those with it, then what it returns; types and shapes must be those of
  /// `getSignature(entry)`. Inputs keep their values unless the entry writes
  /// to a memref of its own. A fault in a kernel is an error at the op at
  /// fault; so is, at the call or the entry, what breaks one of these rules:
  /// - `call_c1`: a kernel is given memory that exists and is not freed
  /// - `call_c2`: this memory is as large as the argument
  /// - `call_c3`: a kernel writes no input and no constant of the run
  /// - `call_c4`: what a kernel writes is no other argument's memory
  /// - `call_c5`: the results of the entry were written as a whole
  /// - `cores_c3`: a result without pieces is the same on all cores
  /// Fills in those `snapshots` whose call there was.
  LogicalResult run(MutableArrayRef<HostTensor> inputs,
                    MutableArrayRef<HostTensor> results,
                    MutableArrayRef<KernelSnapshot> snapshots = {});

private:
  struct State;
  explicit Executable(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace trn
} // namespace mlir

#endif // TRN_RUNTIME_RUNTIME_H
