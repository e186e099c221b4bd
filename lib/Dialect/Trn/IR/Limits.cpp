//===- Limits.cpp - Limits that all machines share ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Limits.h"

#include "trn/Machine/KnownMachines.h"

#include <algorithm>

using namespace mlir::trn;

static Limits computeLimits() {
  const Machine &first = knownMachines().front();
  Limits limits = {first.partitions,       first.stationaryFreeMax,
                   first.movingFreeMax,    first.vectorTransposeSize,
                   first.partitionGranule, first.bnStatsFreeMax,
                   first.searchFreeMax};
  for (const Machine &machine : knownMachines()) {
    limits.partitions = std::min(limits.partitions, machine.partitions);
    limits.stationaryFreeMax =
        std::min(limits.stationaryFreeMax, machine.stationaryFreeMax);
    limits.movingFreeMax =
        std::min(limits.movingFreeMax, machine.movingFreeMax);
    limits.vectorTransposeSize =
        std::min(limits.vectorTransposeSize, machine.vectorTransposeSize);
    limits.partitionGranule =
        std::min(limits.partitionGranule, machine.partitionGranule);
    limits.bnStatsFreeMax =
        std::min(limits.bnStatsFreeMax, machine.bnStatsFreeMax);
    limits.searchFreeMax =
        std::min(limits.searchFreeMax, machine.searchFreeMax);
  }
  return limits;
}

const Limits &mlir::trn::sharedLimits() {
  static const Limits limits = computeLimits();
  return limits;
}
