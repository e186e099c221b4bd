//===- Obstacles.h - Why a graph has no plan --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_OBSTACLES_H
#define TRN_SEARCH_OBSTACLES_H

#include "trn/Search/Demands.h"

namespace mlir::trn::search {

/// Explains why no plan for `source` meets the constraints on `machine`, whose
/// tiles are limited. Names the buffers at the peak of the smallest plan, and
/// feasible values of a constraint. None if there is a plan.
std::optional<std::string> findObstacle(const planning::Graph &source,
                                        const Demands &demands,
                                        const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_OBSTACLES_H
