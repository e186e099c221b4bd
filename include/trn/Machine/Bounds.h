//===- Bounds.h - Times that no schedule can beat ---------------*- C++ -*-===//
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

/// FLOPs split by what they cost on the tensor engine.
struct FlopsByType {
  int64_t narrow = 0; // bf16 and f16
  int64_t f32 = 0;
  int64_t total() const { return narrow + f32; }
};

/// `total` FLOPs, split as `executed` ones are; all narrow if there are none.
FlopsByType shareOut(int64_t total, const FlopsByType &executed);

/// Time in nanoseconds that the tensor engine needs at its effective rate with
/// every row and column in use; f32 passes counted, transposes and padding not.
double tensorBoundNs(const FlopsByType &flops, const Machine &machine);

/// The same at the nominal peak, which MFU is measured against.
double nominalPeakNs(const FlopsByType &flops, const Machine &machine);

/// Time in nanoseconds of `bytes` at the sustained rate of all DMA engines.
double trafficBoundNs(int64_t bytes, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_BOUNDS_H
