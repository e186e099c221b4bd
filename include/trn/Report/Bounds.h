//===- Bounds.h - What no schedule can beat ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_BOUNDS_H
#define TRN_REPORT_BOUNDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

struct Machine;
struct Program;
struct SimulationResult;

/// One call of a kernel. What it points to must outlive the report's making.
struct KernelCall {
  const Program *program;
  const SimulationResult *simulation;
  /// What tells the memory of one argument from another's, for example host
  /// addresses, by argument position. Empty: no two calls share memory.
  llvm::SmallVector<uintptr_t, 6> arguments = {};
  /// FLOPs of the model; absent: the executed ones.
  std::optional<int64_t> modelFlops = {};
  /// How the kernel was compiled: `trn.schedule`, as text.
  llvm::ArrayRef<std::pair<std::string, std::string>> schedule = {};
};

/// FLOPs split by what they cost on the tensor engine.
struct FlopsByType {
  int64_t narrow = 0; // bf16 and f16
  int64_t f32 = 0;
  int64_t total() const { return narrow + f32; }
};

/// Model FLOPs of a call, split between the types as the executed ones are.
FlopsByType modelFlops(const KernelCall &call);

/// `total` FLOPs, split as `executed` ones are; all narrow if there are none.
FlopsByType shareOut(int64_t total, const FlopsByType &executed);

/// Time in nanoseconds that the tensor engine needs at its effective rate with
/// every row and column in use; f32 passes counted, transposes and padding not.
double tensorBoundNs(const FlopsByType &flops, const Machine &machine);

/// The same at the nominal peak, which MFU is measured against.
double nominalPeakNs(const FlopsByType &flops, const Machine &machine);

/// Time in nanoseconds of `bytes` at the sustained rate of all DMA engines.
double trafficBoundNs(int64_t bytes, const Machine &machine);

/// The traffic that no schedule of these calls avoids: every argument read
/// once, every result written once, and nothing for what one call writes and a
/// later one reads. `perBuffer`, if present, gets the share of each buffer of
/// each call, by `Program::buffers`.
int64_t
hbmLowerBoundBytes(llvm::ArrayRef<KernelCall> calls,
                   std::vector<std::vector<int64_t>> *perBuffer = nullptr);

} // namespace mlir::trn

#endif // TRN_REPORT_BOUNDS_H
