//===- MadeConstants.h - Constants that are made on chip --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_MADECONSTANTS_H
#define TRN_LIB_PLANNING_MADECONSTANTS_H

#include "Emitter.h"

namespace mlir::trn::planning {

/// The buffer of a matrix that is a constant: of a mask a unit matrix, and
/// beside it a square tile for each diagonal that its band cuts.
PlannedBuffer describeConstant(const Graph &graph, unsigned matrix,
                               const Machine &machine);
/// Fills `buffer` with it.
void makeConstant(const Graph &graph, const BlockView &buffer,
                  const Machine &machine, Emitter &emit);
/// Where `region` of the matrix, a tile, lies in it.
BlockView inConstant(const Graph &graph, BlockView region,
                     const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_MADECONSTANTS_H
