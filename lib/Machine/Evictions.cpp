//===- Evictions.cpp - Which engine empties PSUM --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/Evictions.h"

using namespace mlir::trn;

llvm::SmallVector<bool>
mlir::trn::chooseScalar(llvm::ArrayRef<EngineLoad> copies, EngineLoad load,
                        const Machine &machine) {
  EngineLoad all;
  for (const EngineLoad &copy : copies)
    all.add(copy);
  auto vectorNs = [&](double cycles) { return cycles / machine.vectorGHz; };
  auto scalarNs = [&](double cycles) { return cycles / machine.scalarGHz; };
  // The two engines wait for each other in PSUM: spreading gains nothing.
  if (machine.portLocks) {
    bool scalar =
        std::max(scalarNs(load.scalar + all.scalar), vectorNs(load.vector)) <=
        std::max(vectorNs(load.vector + all.vector), scalarNs(load.scalar));
    return llvm::SmallVector<bool>(copies.size(), scalar);
  }
  llvm::SmallVector<bool> choices;
  for (const EngineLoad &copy : copies) {
    bool swaps = copy.tables != 0 && (load.tables & ~copy.tables) != 0;
    double onScalar =
        copy.scalar + (swaps ? machine.functionSwapNs * machine.scalarGHz : 0);
    bool scalar =
        scalarNs(load.scalar + onScalar) <= vectorNs(load.vector + copy.vector);
    choices.push_back(scalar);
    (scalar ? load.scalar : load.vector) += scalar ? onScalar : copy.vector;
  }
  return choices;
}
