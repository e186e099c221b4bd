//===- LongRows.h - Plans whose rows of DMA are long ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SEARCH_LONGROWS_H
#define TRN_LIB_SEARCH_LONGROWS_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::search {

/// Dims that are worth being interleaved: a matrix in HBM has them in rows that
/// are short for the DMA.
llvm::SmallVector<unsigned, 2> dimsOfShortRows(const planning::Graph &graph,
                                               const planning::Plan &plan,
                                               const Machine &machine);

/// Whether `home` may be whole, and short rows become long so.
bool mayBeWhole(const planning::Graph &graph, const planning::Home &home,
                const Machine &machine);

/// `schedule`, sound, with rows as long as can be; nothing if none was short.
std::optional<planning::Schedule>
withLongRows(const planning::Schedule &schedule, const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_LIB_SEARCH_LONGROWS_H
