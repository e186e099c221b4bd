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

/// Why there is no plan for `source` as demanded on `machine`, whose tiles are
/// limited, and what to do: the buffers of the smallest plan where it takes
/// most, and what would do in place of a demand. None if there is one.
std::optional<std::string> findObstacle(const planning::Graph &source,
                                        const Demands &demands,
                                        const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_OBSTACLES_H
