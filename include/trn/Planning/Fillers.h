//===- Fillers.h - Nests that fill a buffer together ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_FILLERS_H
#define TRN_PLANNING_FILLERS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// The first of the nests that fill `home`. These are the nest that computes it
/// and those in front of it that share loops inside the home with it. A home
/// that is loaded has one, the first one that needs it.
unsigned firstFiller(const Graph &graph, const Plan &plan, const Home &home);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_FILLERS_H
