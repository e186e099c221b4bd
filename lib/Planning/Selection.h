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
#include "llvm/ADT/Sequence.h"

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
  Selection(const Graph &graph, const Stage &stage, const Machine &machine)
      : graph(graph), stage(stage), values(stage.expression.values),
        columns(graph.columnsIn(stage)), uses(values.size()),
        along(values.size()), affines(values.size()), firsts(values.size()) {
    for (const Value &value : values)
      for (unsigned argument : value.arguments)
        ++uses[argument];
    for (auto [value, affine] : llvm::zip_equal(values, affines))
      if (value.kind == Value::Kind::Apply && value.arguments.size() == 1 &&
          value.function != Function::Copy) {
        affine.from = value.arguments.front();
        affine.bias =
            takeAlong(affine.from, Function::Add, machine.activationScalarBias);
        if (!affine.bias) {
          affine.bias = takeAlong(affine.from, Function::Sub,
                                  /*takesConstants=*/false);
          affine.biasFactor = affine.bias ? -1 : 1;
        }
        if (affine.bias)
          takeFactor(*affine.bias, affine.biasFactor);
        affine.scale = takeAlong(affine.from, Function::Mul,
                                 /*takesConstants=*/true);
      }
  }

  /// Lets VectorE compute two functions as one instruction, if each combines
  /// what it gets with a constant or a column.
  void pairUp() {
    for (unsigned number : llvm::seq(values.size())) {
      const Value &value = values[number];
      if (along[number] || value.arguments.size() != 2)
        continue;
      for (unsigned i : {0, 1}) {
        unsigned first = value.arguments[i];
        if (firsts[number] || firsts[first] || uses[first] != 1 ||
            !isPlain(first) || !isScalars(value.arguments[1 - i]) ||
            llvm::none_of(values[first].arguments,
                          [&](unsigned other) { return isScalars(other); }))
          continue;
        along[first] = true;
        firsts[number] = first;
      }
    }
  }

  /// The value whose function is computed in front of that of `value`.
  std::optional<unsigned> firstOf(unsigned value) const {
    return firsts[value];
  }

  /// Whether the value is taken along by another one.
  bool isTakenAlong(unsigned value) const { return along[value]; }
  const Affine &affineOf(unsigned value) const { return affines[value]; }
  /// Whether the value has one column for all of the result's.
  bool isColumn(unsigned number) const {
    const Value &value = values[number];
    if (value.kind == Value::Kind::Sum)
      return graph.isColumn(stage, value.number);
    if (value.kind == Value::Kind::Matrix) {
      unsigned own = graph.matrices[value.number].columns;
      return graph.readsByGroup(stage, value.number) ||
             (!graph.isPartOf(columns, own) && graph.sizeOf(own) == 1);
    }
    return value.kind == Value::Kind::Apply &&
           llvm::all_of(value.arguments, [&](unsigned argument) {
             return isConstant(argument) || isColumn(argument);
           });
  }
  bool isConstant(unsigned number) const {
    return values[number].kind == Value::Kind::Constant;
  }
  /// The argument that `value` multiplies with a constant or a column, divides
  /// by it, adds it to or subtracts it from, if it does one of these.
  std::optional<unsigned> findScaled(const Value &value) const {
    bool isReversible =
        value.function == Function::Add || value.function == Function::Mul;
    if (value.kind != Value::Kind::Apply ||
        !(isReversible || value.function == Function::Sub ||
          value.function == Function::Div))
      return std::nullopt;
    auto isOne = [&](unsigned number) {
      return isConstant(number) || isColumn(number);
    };
    unsigned left = value.arguments[0], right = value.arguments[1];
    if (!isOne(left) && isOne(right))
      return left;
    return isReversible && isOne(left) && !isOne(right) ? std::optional(right)
                                                        : std::nullopt;
  }

private:
  /// Whether it is a function of two values, and not rounded.
  bool isPlain(unsigned number) const {
    const Value &value = values[number];
    return value.is(value.function) && value.arguments.size() == 2;
  }
  /// Whether it is the same for all of a row, and is not a mask, which may not
  /// be read.
  bool isScalars(unsigned number) const {
    bool isMask = values[number].kind == Value::Kind::Matrix &&
                  graph.matrices[values[number].number].band;
    return isConstant(number) || (isColumn(number) && !isMask);
  }
  /// The other argument if `number` is `function` of something, which it
  /// becomes, that only it takes and of what the scalar engine can take along.
  std::optional<unsigned> takeAlong(unsigned &number, Function function,
                                    bool takesConstants) {
    const Value &value = values[number];
    if (!value.is(function) || uses[number] != 1)
      return std::nullopt;
    for (unsigned i : {1, 0}) {
      unsigned other = value.arguments[i], rest = value.arguments[1 - i];
      if (isConstant(rest) || isColumn(rest) ||
          (function == Function::Sub && i == 0))
        continue;
      if ((isConstant(other) && takesConstants) || isColumn(other)) {
        along[number] = true;
        number = rest;
        return other;
      }
    }
    return std::nullopt;
  }

  /// What of a column `number` is a multiple, which is multiplied later.
  void takeFactor(unsigned &number, float &factor) {
    const Value &value = values[number];
    if (!value.is(Function::Mul) || uses[number] != 1)
      return;
    bool isFirst = isConstant(value.arguments[0]);
    unsigned constant = value.arguments[!isFirst];
    if (!isConstant(constant))
      return;
    along[number] = true;
    factor *= values[constant].constant;
    number = value.arguments[isFirst];
  }

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
