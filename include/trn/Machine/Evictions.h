//===- Evictions.h - Which engine empties PSUM ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_EVICTIONS_H
#define TRN_MACHINE_EVICTIONS_H

#include "trn/Machine/Machine.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::trn {

/// Cycles of VectorE and of ScalarE, with those of their accesses. Whole
/// numbers: in which order they are added makes no difference.
struct EngineLoad {
  double vector = 0;
  double scalar = 0;

  void addVector(int64_t cycles, const Machine &machine) {
    vector += double(cycles + machine.vectorAccessCycles);
  }
  void addScalar(int64_t cycles, const Machine &machine) {
    scalar += double(cycles + machine.scalarAccessCycles);
  }
  void add(const EngineLoad &other, double times = 1) {
    vector += times * other.vector;
    scalar += times * other.scalar;
  }
};

/// For each of the `copies` out of PSUM in a block, whether ScalarE does it, as
/// it does where both would be done alike; VectorE does the others. Both
/// engines have `load` to do anyway; a copy says what it adds to each of them.
llvm::SmallVector<bool> chooseScalar(llvm::ArrayRef<EngineLoad> copies,
                                     EngineLoad load, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_EVICTIONS_H
