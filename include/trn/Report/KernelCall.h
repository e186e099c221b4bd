//===- KernelCall.h - Calls of kernels --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_KERNELCALL_H
#define TRN_REPORT_KERNELCALL_H

#include "trn/Machine/Bounds.h"
#include "trn/Planning/Plan.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

struct Buffer;
struct Program;
struct SimulationResult;

/// One call of a kernel. Its pointers must stay valid until the report is made.
struct KernelCall {
  const Program *program;
  const SimulationResult *simulation;
  /// By argument position: an identity of the argument's memory, such as a host
  /// address. Empty: no two calls share memory.
  llvm::SmallVector<uintptr_t, 6> arguments = {};
  /// FLOPs of the model; absent: the executed ones.
  std::optional<int64_t> modelFlops = {};
  /// The plan: `trn.schedule`, as text.
  llvm::ArrayRef<std::pair<std::string, std::string>> schedule = {};
  /// The same as data; null if it is not known.
  const planning::Schedule *plan = nullptr;
  /// The host starts it; otherwise it follows the previous call by itself.
  bool beginsLaunch = true;
  /// As in `LaunchCall`.
  llvm::SmallVector<int64_t, 6> offsets = {};
};

/// The work of each core of a logical one in a call, including its own.
llvm::SmallVector<KernelCall, 2> coresOf(const KernelCall &call);

/// The one that ends last.
KernelCall lastCoreOf(const KernelCall &call);

/// Memory that one call writes and a later one reads.
class HandedOver {
public:
  explicit HandedOver(llvm::ArrayRef<KernelCall> calls);

  bool contains(uintptr_t memory) const { return memories.contains(memory); }

private:
  llvm::DenseSet<uintptr_t> memories;
};

/// Model FLOPs of a call, split between the types as the executed ones are.
FlopsByType modelFlops(const KernelCall &call);

/// The traffic that no schedule of these calls avoids: every argument is read
/// once, every result written once. Memory that one call writes and a later one
/// reads does not count. `perBuffer`, if present, receives the share of each
/// buffer of each call, by `Program::buffers`.
int64_t
hbmLowerBoundBytes(llvm::ArrayRef<KernelCall> calls,
                   std::vector<std::vector<int64_t>> *perBuffer = nullptr);

} // namespace mlir::trn

#endif // TRN_REPORT_KERNELCALL_H
