//===- LowerBound.h - The bound that no plan beats --------------*- C++ -*-===//
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

/// Nanoseconds for which one engine is busy in every plan of `source`. The
/// tensor engine has all products, in whole tiles, and the transpositions that
/// they need. The DMA reads each input and writes each result once.
double leastBusyNs(const planning::Graph &source, const Machine &machine);

} // namespace mlir::trn::search

#endif // TRN_SEARCH_LOWERBOUND_H
