//===- RowsBelow.h - Two products as one with more rows ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `w * x over k + e * y over j`, where e is a constant, takes the tensor engine
// as long as one of the two products if the rows of e lie below those of w in
// the same buffer, and those of y below those of x. In attention y is one row:
// the maxima, which the scores lose.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_ROWSBELOW_H
#define TRN_PLANNING_ROWSBELOW_H

#include "trn/Planning/Plan.h"

namespace mlir::trn::planning {

/// Two terms of a nest that one product computes.
struct RowsBelow {
  unsigned nest = 0;
  const Term *above = nullptr, *below = nullptr;
  /// Of the factors of `above`: these buffers have the rows of both.
  const Home *left = nullptr, *right = nullptr;
  /// Of the factors of `below`: none has a buffer of its own.
  const Home *constant = nullptr, *guest = nullptr;
};

/// Whether the tensor engine and its operands leave room for the rows of
/// `below` beside those of `above`, another term of `stage`, in some plan.
bool mayLieBelow(const Graph &graph, const Stage &stage, const Term &above,
                 const Term &below, const Machine &machine);

/// The terms that one product computes if `plan` is followed: both factors of
/// `above` are in SBUF as a whole, and nothing else reads those of `below`.
llvm::SmallVector<RowsBelow, 1>
findRowsBelow(const Graph &graph, const Plan &plan, const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_ROWSBELOW_H
