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

/// What op verifiers may rely on without knowing the machine.
struct Limits {
  int64_t partitions = 128;
  int64_t stationaryFreeMax = 128;
  int64_t movingFreeMax = 512;
  int64_t vectorTransposeSize = 32;
};

inline const Limits &sharedLimits() {
  static const Limits limits;
  return limits;
}

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_IR_LIMITS_H
