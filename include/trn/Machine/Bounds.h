//===- Bounds.h - Times that no schedule beats ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_BOUNDS_H
#define TRN_MACHINE_BOUNDS_H

#include <cstdint>

namespace mlir::trn {

struct Machine;

/// FLOPs by their cost on the tensor engine.
struct FlopsByType {
  int64_t narrow = 0; // bf16 and f16
  int64_t f32 = 0;
  int64_t total() const { return narrow + f32; }
};

/// `total` FLOPs, split in the ratio of `executed`; all narrow if it is zero.
FlopsByType shareOut(int64_t total, const FlopsByType &executed);

/// Nanoseconds of the tensor engine at its effective rate, with every row and
/// column in use. Passes of f32 count; transposes and padding do not.
double tensorBoundNs(const FlopsByType &flops, const Machine &machine);

/// The same at the nominal peak, to which MFU refers.
double nominalPeakNs(const FlopsByType &flops, const Machine &machine);

/// Nanoseconds of `bytes` at the sustained rate of all DMA engines.
double trafficBoundNs(int64_t bytes, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_BOUNDS_H
