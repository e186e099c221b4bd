//===- Transpositions.h - Transposed tiles ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_TRANSPOSITIONS_H
#define TRN_LIB_PLANNING_TRANSPOSITIONS_H

#include "Evaluator.h"

namespace mlir::trn::planning {

/// Computes the stages that transpose a matrix.
class Transpositions : PlanFacts {
public:
  Transpositions(Homes &homes, Copies &copies, Evaluator &evaluator)
      : PlanFacts(homes), homes(homes), copies(copies), evaluator(evaluator),
        emit(homes.emit) {}

  void transpose(unsigned nest, const Extents &extents);

private:
  BlockView transposeIntoBank(unsigned matrix, const BlockView &from,
                              int64_t neighbours = 1);
  void loadInterleavedRows(unsigned nest, const Extents &extents);
  void transposePacked(unsigned nest, const Extents &extents);

  Homes &homes;
  Copies &copies;
  Evaluator &evaluator;
  Emitter &emit;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_TRANSPOSITIONS_H
