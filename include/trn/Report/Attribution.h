//===- Attribution.h - Time and traffic of a kernel by cause ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_ATTRIBUTION_H
#define TRN_REPORT_ATTRIBUTION_H

#include "trn/Report/KernelCall.h"
#include "trn/Simulator/Simulator.h"

namespace mlir::trn {

/// The critical path by `Engine` and `PathReason`, in picoseconds.
struct PathTimes {
  int64_t kernelOverhead = 0;
  int64_t notFollowed = 0;
  std::array<std::array<int64_t, numPathReasons>, numEngines> engines = {};

  void add(const KernelCall &call);
  void add(const PathTimes &other);
};

/// Sums over all executions of an op; times in picoseconds. Ops with the same
/// location do the same at different places of the loop nest, so they count
/// together.
struct OpTimes {
  /// Index into `Program::ops` of the first one.
  int32_t index;
  /// Its name, without the dialect's prefix.
  std::string op;
  Engine engine;
  /// The HBM buffer that a transfer reads or writes, if there is one.
  std::string buffer;
  std::string location;
  int64_t executions = 0;
  /// As `SimulationResult::executedFlops` and `transposeFlops`.
  int64_t flops = 0;
  int64_t transposeFlops = 0;
  int64_t busy = 0;
  int64_t critical = 0;
  std::array<int64_t, numWaitReasons> waits = {};

  int64_t waited() const;
  /// Its main reason to wait.
  WaitReason waitReason() const;
  void add(const OpTimes &other);
};

/// Traffic of one buffer in HBM.
struct BufferUse {
  /// The kernel's name of its matrix, else `argument 0`, `result 0` or
  /// `scratch 0`, numbered by kind.
  std::string name;
  std::string location;
  /// Its size, summed over calls like the other numbers.
  int64_t bytes = 0;
  int64_t readBytes = 0;
  int64_t writtenBytes = 0;
  /// The traffic that no schedule avoids: see `hbmLowerBoundBytes`.
  int64_t compulsoryBytes = 0;

  void add(const BufferUse &other);
};

/// Names of `program`'s buffers as `BufferUse::name`; empty on chip.
std::vector<std::string> bufferNames(const Program &program);

/// Adds the work of `call` to the entries of its kernel. `compulsory` is by
/// `Program::buffers`.
void addOps(const KernelCall &call, std::vector<OpTimes> &ops);
void addBuffers(const KernelCall &call, llvm::ArrayRef<int64_t> compulsory,
                std::vector<BufferUse> &buffers);

/// The `count` ops with most time on the critical path; of equals, the busier
/// ones.
std::vector<OpTimes> topOps(std::vector<OpTimes> ops, size_t count);

} // namespace mlir::trn

#endif // TRN_REPORT_ATTRIBUTION_H
