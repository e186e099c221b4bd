//===- Runtime.h - Run modules ----------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUNTIME_RUNTIME_H
#define TRN_RUNTIME_RUNTIME_H

#include "trn/Analysis/TraceCalls.h"
#include "trn/Decode/Decode.h"
#include "trn/Interpreter/Snapshot.h"
#include "trn/Machine/Machine.h"
#include "trn/Runtime/HostCode.h"
#include "trn/Support/HostTensor.h"

namespace mlir {
class DialectRegistry;

namespace trn {

class CoreGroup;

/// Registers the needs of host compilation beyond `registerAllDialects`.
void registerHostCompilation(DialectRegistry &registry);

struct ExecutableOptions {
  /// Of the interpreter; 0 = one per core of the host.
  unsigned threads = 0;
  /// The other cores' processes, if each core is one; null: all cores run here.
  CoreGroup *cores = nullptr;
  /// Finds the kernel calls without compiling or running anything.
  bool timingOnly = false;
  /// Receives the steps of each kernel call, including 0 and all.
  std::function<void(size_t done, size_t total)> progress = {};
};

/// Contents to keep: of call `call` of kernel `kernel`, both counted from 0.
struct KernelSnapshot {
  size_t kernel;
  int64_t call;
  Snapshot snapshot;
};

/// A function of a module, ready to run. Its kernels are decoded, and the host
/// code around them is compiled for this computer. Several cores run in as many
/// threads. The module must outlive this.
class Executable {
public:
  /// `entry` may be a kernel itself. Emits errors, also if this is broken:
  /// - `cores_c6`: all cores call the same kernels, in the same order, unless
  ///   values decide about calls
  static FailureOr<Executable> create(func::FuncOp entry,
                                      const Machine &machine,
                                      const ExecutableOptions &options = {});
  Executable(Executable &&);
  Executable &operator=(Executable &&);
  ~Executable();

  /// Functions that the entry may call.
  const HostCode &getHostCode() const;

  /// The kernels among them.
  ArrayRef<DecodedKernel> getKernels() const;

  /// Kernel calls of the last run in order, or of a future run if created for
  /// timing only. Arguments are host addresses, or numbers for them.
  ArrayRef<RecordedCall> getCalls() const;
  /// Makes these the calls of a future run, for timing only.
  void setCalls(std::vector<RecordedCall> calls);

  /// Seconds that the last run spent in kernels.
  double getKernelSeconds() const;

  /// Whether the entry computes anything from weights alone.
  bool hasLoad() const;
  /// Computes the results of weights alone (arguments with `trn.param`, and
  /// constants) for all runs. The first run does this by itself. Load again
  /// after a change of weights.
  LogicalResult load(MutableArrayRef<HostTensor> inputs);

  /// Runs the entry. `inputs` are its arguments without `trn.result`; `results`
  /// are those with it, then its return values. Types and shapes must be those
  /// of `getSignature(entry)`. Inputs keep their values unless the entry writes
  /// to a memref of its own. A fault in a kernel is an error at the op at
  /// fault. Breaking one of these rules is an error at the call or the entry:
  /// - `call_c1`: a kernel is given memory that exists and is not freed
  /// - `call_c2`: this memory is as large as the argument
  /// - `call_c3`: a kernel writes no input and no constant of the run
  /// - `call_c4`: memory that a kernel writes is no other argument's
  /// - `call_c5`: the results of the entry are written completely
  /// - `cores_c3`: a result or its piece is the same on all cores that have it
  ///
  /// Fills in `snapshots` whose call took place.
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
