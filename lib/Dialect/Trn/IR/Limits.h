//===- Limits.h - Limits that all machines share ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_IR_LIMITS_H
#define TRN_LIB_DIALECT_TRN_IR_LIMITS_H

#include <cstdint>

namespace mlir::trn {

/// What op verifiers hold every program to, whatever its machine: the smallest
/// limits among the known machines. Rules of one machine are held by
/// `trn-verify-level`.
struct Limits {
  int64_t partitions;
  int64_t stationaryFreeMax;
  int64_t movingFreeMax;
  int64_t vectorTransposeSize;
  int64_t partitionGranule;
  int64_t bnStatsFreeMax;
  int64_t searchFreeMax;
};

const Limits &sharedLimits();

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_IR_LIMITS_H
