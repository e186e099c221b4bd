//===- Fillers.cpp - Nests that fill a buffer together --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Fillers.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

unsigned planning::firstFiller(const Graph &graph, const Plan &plan,
                               const Home &home) {
  unsigned first = home.nests.front();
  if (graph.stages[first].result == home.matrix)
    while (first > 0 && plan.sharedLoops(first - 1) > home.level)
      --first;
  return first;
}
