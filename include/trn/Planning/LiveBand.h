//===- LiveBand.h - The unmasked part of two dims ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_LIVEBAND_H
#define TRN_PLANNING_LIVEBAND_H

#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// The unmasked part of all matrices with both dims. Maxima, exponentials, sums
/// and products of a row of scores read nothing outside it.
struct LiveBand {
  unsigned rows = 0, columns = 0; // dims
  Band band = {};

  bool isIn(const Matrix &matrix) const {
    return matrix.has(rows) && matrix.has(columns);
  }
  bool isIn(const Graph &graph, const Stage &stage) const;
  /// Whether `matrix` is a mask that leaves exactly this band.
  bool isMask(const Matrix &matrix) const {
    return matrix.band &&
           (matrix.rows == rows
                ? matrix.columns == columns && *matrix.band == band
                : matrix.rows == columns && matrix.columns == rows &&
                      !band.period && *matrix.band == band.transposed());
  }
  /// Share of the tiles of `side` x `side` that contain unmasked elements.
  double share(const Graph &graph, int64_t side) const;
};

/// A mask that is a constant.
inline bool isMadeMask(const Matrix &matrix) {
  return matrix.role == Role::Constant && matrix.band;
}

/// The band that a mask of `graph` leaves, if no stored or accumulated value
/// depends on anything outside it.
std::optional<LiveBand> findLiveBand(const Graph &graph);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_LIVEBAND_H
