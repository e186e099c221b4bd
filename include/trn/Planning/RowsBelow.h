//===- RowsBelow.h - Two products as one with more rows ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `w * x over k + e * y over j` with a constant e can take the tensor engine no
// longer than one product. The rows of e must follow those of w in the same
// buffer, and the rows of y those of x. In attention y is one row: the maxima
// to subtract from the scores.
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
  /// The factors of `above`; their buffers have the rows of both terms.
  const Home *left = nullptr, *right = nullptr;
  /// The factors of `below`; neither has a buffer of its own.
  const Home *constant = nullptr, *guest = nullptr;
};

/// Whether tensor engine and operands have room for the rows of `below` under
/// those of `above`, another term of `stage`, in some plan.
bool mayLieBelow(const Graph &graph, const Stage &stage, const Term &above,
                 const Term &below, const Machine &machine);

/// The terms that `plan` computes with one product. Both factors of `above` are
/// in SBUF as a whole, and nothing else reads those of `below`.
llvm::SmallVector<RowsBelow, 1>
findRowsBelow(const Graph &graph, const Plan &plan, const Machine &machine);

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_ROWSBELOW_H
