//===- Selection.cpp - Values that are instructions -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Selection.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

Selection::Selection(const Graph &graph, const Stage &stage,
                     const Machine &machine)
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

bool Selection::isColumn(unsigned number) const {
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

std::optional<unsigned> Selection::findScaled(const Value &value) const {
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

/// The other argument if `number` is `function` of something, which it
/// becomes, that only it takes and of what the scalar engine can take along.
std::optional<unsigned>
Selection::takeAlong(unsigned &number, Function function, bool takesConstants) {
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
void Selection::takeFactor(unsigned &number, float &factor) {
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

/// Whether it is a function of two values, and not rounded.
bool Selection::isPlain(unsigned number) const {
  const Value &value = values[number];
  return value.is(value.function) && value.arguments.size() == 2;
}

/// Whether it is the same for all of a row, and is not a mask, which may not
/// be read.
bool Selection::isScalars(unsigned number, bool takesColumns) const {
  bool isMask = values[number].kind == Value::Kind::Matrix &&
                graph.matrices[values[number].number].band;
  return isConstant(number) || (takesColumns && isColumn(number) && !isMask);
}

void Selection::pairUp(bool takesColumns) {
  for (unsigned number : llvm::seq(values.size())) {
    const Value &value = values[number];
    if (along[number] || value.arguments.size() != 2)
      continue;
    for (unsigned i : {0, 1}) {
      unsigned first = value.arguments[i];
      if (firsts[number] || firsts[first] || uses[first] != 1 ||
          !isPlain(first) || !isScalars(value.arguments[1 - i], takesColumns) ||
          llvm::none_of(values[first].arguments, [&](unsigned other) {
            return isScalars(other, takesColumns);
          }))
        continue;
      along[first] = true;
      firsts[number] = first;
    }
  }
}
