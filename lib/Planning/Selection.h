//===- Selection.h - Values that are instructions ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_SELECTION_H
#define TRN_LIB_PLANNING_SELECTION_H

#include "trn/Machine/Machine.h"
#include "trn/Planning/Graph.h"

namespace mlir::trn::planning {

/// What of an expression a function of one value takes along.
struct Affine {
  unsigned from = 0;
  std::optional<unsigned> scale = std::nullopt, bias = std::nullopt;
  float biasFactor = 1;
};

/// Which values of an expression are instructions of their own.
class Selection {
public:
  Selection(const Graph &graph, const Stage &stage, const Machine &machine);

  /// Lets VectorE compute two functions as one instruction, if each combines
  /// what it gets with a constant or a column; or with a constant alone, if
  /// columns of several tiles are computed at once.
  void pairUp(bool takesColumns = true);

  /// The value whose function is computed in front of that of `value`.
  std::optional<unsigned> firstOf(unsigned value) const {
    return firsts[value];
  }
  /// Whether the value is taken along by another one.
  bool isTakenAlong(unsigned value) const { return along[value]; }
  const Affine &affineOf(unsigned value) const { return affines[value]; }
  /// Whether the value has one column for all of the result's.
  bool isColumn(unsigned number) const;
  bool isConstant(unsigned number) const {
    return values[number].kind == Value::Kind::Constant;
  }
  /// The argument that `value` multiplies with a constant or a column, divides
  /// by it, adds it to or subtracts it from, if it does one of these.
  std::optional<unsigned> findScaled(const Value &value) const;

private:
  bool isPlain(unsigned number) const;
  bool isScalars(unsigned number, bool takesColumns) const;
  std::optional<unsigned> takeAlong(unsigned &number, Function function,
                                    bool takesConstants);
  void takeFactor(unsigned &number, float &factor);

  const Graph &graph;
  const Stage &stage;
  const std::vector<Value> &values;
  unsigned columns;
  llvm::SmallVector<unsigned> uses; // by value
  llvm::SmallVector<bool> along;
  llvm::SmallVector<Affine> affines;
  llvm::SmallVector<std::optional<unsigned>> firsts;
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_SELECTION_H
