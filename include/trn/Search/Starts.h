//===- Starts.h - Seeds of a search -----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_STARTS_H
#define TRN_SEARCH_STARTS_H

#include "trn/Search/Demands.h"
#include <limits>

namespace mlir::trn::search {

/// A schedule that fits, and the busy times of its engines.
struct Start {
  planning::Schedule schedule;
  double busyNs = 0;  // of the busiest one
  double promise = 0; // ns; a little of all engines added
};

/// Seeds within the constraints, by increasing `promise`, at most `most`. For
/// strips of several sizes, in each form of the graph, there is a canonical
/// plan. Strips of X come transposed and ahead, intermediates stay for a strip,
/// and weights are streamed in tiles or with their whole contraction. Variants
/// have intermediates in HBM, or compute them in blocks. If one does not fit,
/// it is changed until it does; if none fits, the smallest plans are the seeds.
std::vector<Start> findStarts(const planning::Graph &source,
                              const DemandChecker &demands,
                              const Machine &machine,
                              size_t most = std::numeric_limits<size_t>::max());

/// Whether there is one: tries the smallest plans first, which kernels with
/// large weights have where many others do not fit.
bool hasStart(const planning::Graph &source, const DemandChecker &demands,
              const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_STARTS_H
