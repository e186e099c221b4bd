//===- HostRun.h - What compiled host code calls ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTRUN_H
#define TRN_LIB_RUNTIME_HOSTRUN_H

#include "HostMemory.h"

#include "trn/Decode/Decode.h"
#include "trn/Machine/Machine.h"
#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// An op of host code that may go wrong when it runs. Compiled code knows it by
/// a number.
struct HostSite {
  Location loc;
  StringRef op;
  /// What it did if it fails.
  std::string failure;
  SmallVector<Location> operands;
};

/// What a kernel is called with.
struct HostCall {
  /// Nothing if the kernel is the entry.
  std::optional<size_t> site;
  const DecodedKernel &kernel;
  ArrayRef<void *> arguments;

  uintptr_t getAddress(const Buffer &argument) const {
    return reinterpret_cast<uintptr_t>(arguments[argument.argument]);
  }
};

/// The state of a run and what compiled host code asks of it. After an answer
/// of false or null an error was emitted, and host code must not go on.
class HostRun {
public:
  HostRun(const Machine &machine, const ExecutableOptions &options)
      : machine(machine), options(options) {}

  /// Starts a run.
  void reset();

  bool callKernel(std::optional<size_t> site, size_t kernel,
                  ArrayRef<void *> arguments);
  void *allocate(size_t site, size_t bytes);
  bool release(size_t site, void *pointer);
  bool checkAccess(size_t site, const void *pointer, bool writes);
  /// A view of the memory that `source` points into. `view`: bytes of an
  /// element, offset, sizes, strides.
  bool checkView(size_t site, const void *source, int64_t base,
                 ArrayRef<int64_t> view);
  void fail(size_t site);

  Machine machine;
  ExecutableOptions options;
  /// Which one this is of the cores that run the program.
  int64_t core = 0;
  std::vector<DecodedKernel> kernels;
  std::vector<HostSite> sites;
  HostMemory memory;
  MutableArrayRef<KernelSnapshot> snapshots;

  /// Of the run so far.
  std::vector<RecordedCall> calls;
  double kernelSeconds = 0;
  bool failed = false;
  /// Because other cores did not come to a collective.
  bool hasLostOthers = false;

private:
  /// What the interpreter tells of its steps; none if nobody asks.
  std::function<void(int64_t)> reportSteps(const Program &program) const;
  InFlightDiagnostic emitError(size_t site);
  /// Tells where the memory at `pointer` comes from, and who freed it.
  void explain(InFlightDiagnostic &diagnostic,
               const HostMemory::Region &region);
  bool verifyArguments(const HostCall &call);
  bool verifyMemory(const HostCall &call, const Buffer &argument,
                    bool isWritten);
  bool verifySeparate(const HostCall &call, const Buffer &output,
                      const Buffer &other);
  InFlightDiagnostic emitArgumentError(const HostCall &call,
                                       const Buffer &argument);
  void explainArgument(InFlightDiagnostic &diagnostic, const HostCall &call,
                       const Buffer &argument) const;
  void emitFault(const HostCall &call, const struct Fault &fault,
                 ArrayRef<std::unique_ptr<WrittenMap>> written);
  /// For each argument in memory that was new in this run and is not written as
  /// a whole, what is.
  std::vector<std::unique_ptr<WrittenMap>>
  findUnwrittenInputs(const HostCall &call) const;
  /// What to keep of the next call of a kernel.
  SmallVector<Snapshot *> findSnapshots(size_t kernel) const;
};

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTRUN_H
