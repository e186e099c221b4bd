//===- Evictions.h - The choice of engine for evictions ---------*- C++ -*-===//
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

/// Cycles of VectorE and of ScalarE, including those of accesses. They are
/// whole numbers, so that the order of additions makes no difference.
struct EngineLoad {
  double vector = 0;
  double scalar = 0;
  /// The function tables that ScalarE needs, as bits.
  uint64_t tables = 0;

  void addVector(int64_t cycles, const Machine &machine) {
    vector += double(cycles + machine.vectorAccessCycles);
  }
  void addScalar(int64_t cycles, Function function, const Machine &machine) {
    scalar += double(cycles + machine.scalarAccessCycles);
    int64_t table = machine.functionTables[static_cast<int64_t>(function)];
    if (table > 0 && machine.functionSwapNs > 0)
      tables |= uint64_t(1) << (table - 1);
  }
  void add(const EngineLoad &other, double times = 1) {
    vector += times * other.vector;
    scalar += times * other.scalar;
    tables |= other.tables;
  }
};

/// Decides for each of the `copies` out of PSUM in a block whether ScalarE does
/// it; VectorE does the others. ScalarE also wins ties. A copy says what it
/// adds to each engine, beside `load`, the work that they have anyway. If that
/// work needs another function table of ScalarE, each copy there costs a swap,
/// too.
llvm::SmallVector<bool> chooseScalar(llvm::ArrayRef<EngineLoad> copies,
                                     EngineLoad load, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_MACHINE_EVICTIONS_H
