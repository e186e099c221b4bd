//===- LowerBound.h - What no plan for a graph beats ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SEARCH_LOWERBOUND_H
#define TRN_SEARCH_LOWERBOUND_H

namespace mlir::trn {
struct Machine;
} // namespace mlir::trn

namespace mlir::trn::planning {
struct Graph;
} // namespace mlir::trn::planning

namespace mlir::trn::search {

/// Nanoseconds for which one engine is busy at least, whatever the plan for
/// `source` is: the tensor engine with all products, in whole tiles, and with
/// the transpositions that they need, or the DMA engines with reading each
/// input and writing each result once.
double leastBusyNs(const planning::Graph &source, const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_LOWERBOUND_H
