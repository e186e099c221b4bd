//===- WalkExpressions.cpp - From sums to what is stored ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every value of an expression is one instruction, which leaves a tile in SBUF.
// ScalarE multiplies with a scale and adds a bias on the way for nothing, if
// they are constants or have one column: gelu(x * scale + bias). What it
// subtracts is negated before. It also adds up what it computes.

#include "Walker.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
/// What of an expression a function of one value takes along.
struct Affine {
  unsigned from = 0;
  std::optional<unsigned> scale = std::nullopt, bias = std::nullopt;
  bool isNegated = false; // the bias
};

/// Which values of an expression are instructions of their own.
class Selection {
public:
  Selection(const Graph &graph, const Stage &stage, const Machine &machine)
      : graph(graph), values(stage.expression.values),
        columns(graph.columnsIn(stage)), uses(values.size()),
        along(values.size()), affines(values.size()) {
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
          affine.isNegated = affine.bias.has_value();
        }
        affine.scale = takeAlong(affine.from, Function::Mul,
                                 /*takesConstants=*/true);
      }
  }

  /// Whether the value is taken along by another one.
  bool isTakenAlong(unsigned value) const { return along[value]; }
  const Affine &affineOf(unsigned value) const { return affines[value]; }
  /// Whether the value has one column for all of the result's.
  bool isColumn(unsigned number) const {
    const Value &value = values[number];
    if (value.kind == Value::Kind::Matrix) {
      unsigned own = graph.matrices[value.number].columns;
      return own != columns && own != graph.wholeOf(columns);
    }
    return value.kind == Value::Kind::Apply &&
           llvm::all_of(value.arguments, [&](unsigned argument) {
             return isConstant(argument) || isColumn(argument);
           });
  }
  bool isConstant(unsigned number) const {
    return values[number].kind == Value::Kind::Constant;
  }

private:
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
      if ((isConstant(other) && takesConstants) ||
          (values[other].kind == Value::Kind::Matrix && isColumn(other))) {
        along[number] = true;
        number = rest;
        return other;
      }
    }
    return std::nullopt;
  }

  const Graph &graph;
  const std::vector<Value> &values;
  unsigned columns;
  llvm::SmallVector<unsigned> uses; // by value
  llvm::SmallVector<bool> along;
  llvm::SmallVector<Affine> affines;
};
} // namespace

/// The instructions of one tile, in the order of the values.
class Walker::Evaluation {
public:
  /// The last value is written to `to` or, if the stage reduces it, becomes its
  /// only column.
  Evaluation(Walker &walker, unsigned nest, const Extents &extents,
             llvm::ArrayRef<BlockView> sums, const BlockView &to)
      : walker(walker), nest(nest), stage(walker.stageOf(nest)),
        values(stage.expression.values), extents(extents), sums(sums), to(to),
        columns(extents[walker.graph.columnsIn(stage)].size),
        selection(walker.graph, stage, walker.machine), at(values.size()) {}

  void run() {
    for (unsigned number = 0; number + 1 < values.size(); ++number)
      if (!selection.isTakenAlong(number))
        at[number] = evaluate(number);
    unsigned last = values.size() - 1;
    if (!stage.reduction)
      evaluate(last);
    else if (!sumOnScalar(last))
      walker.visitor.reduce(stage.reduction->function, *evaluate(last).block,
                            to);
  }

private:
  Argument evaluate(unsigned number);
  bool sumOnScalar(unsigned number);
  std::optional<BlockView> sumsBehind();
  BlockView openTemporary(ElementType type, int64_t columns);
  void activate(unsigned number, const BlockView &target,
                const BlockView *sums = nullptr);
  void combine(const Value &value, const BlockView &target);
  Argument argument(std::optional<unsigned> number, float otherwise) const {
    return number ? at[*number] : Argument{std::nullopt, otherwise};
  }
  /// Whether it is a sum that lies in PSUM, of which an instruction reads one.
  bool isInBank(unsigned number) const {
    const Home &home = *walker.plan.homeOf(stage.result, nest);
    return values[number].kind == Value::Kind::Sum &&
           (!home.sums || home.sumsInPsum());
  }

  Walker &walker;
  unsigned nest;
  const Stage &stage;
  const std::vector<Value> &values;
  const Extents &extents;
  llvm::ArrayRef<BlockView> sums;
  const BlockView &to;
  int64_t columns;
  Selection selection;
  std::vector<Argument> at; // by value
};

BlockView Walker::Evaluation::openTemporary(ElementType type, int64_t columns) {
  return walker.openBuffer(
      {stage.result, Space::Sbuf, type, to.rows, columns, 2});
}

Argument Walker::Evaluation::evaluate(unsigned number) {
  const Value &value = values[number];
  switch (value.kind) {
  case Value::Kind::Sum:
    return {sums[value.number]};
  case Value::Kind::Matrix:
    return {walker.operand(value.number, nest, extents)};
  case Value::Kind::Constant:
    return {std::nullopt, value.constant};
  case Value::Kind::Apply:
    break;
  }
  bool isLast = number + 1 == values.size();
  bool isResult = isLast && !stage.reduction;
  BlockView target =
      isResult
          ? to
          : openTemporary(value.type, selection.isColumn(number) ? 1 : columns);
  std::optional<BlockView> added;
  if (isResult)
    added = sumsBehind();
  if (value.arguments.size() == 1)
    activate(number, target, added ? &*added : nullptr);
  else
    combine(value, target);
  return {target};
}

void Walker::Evaluation::activate(unsigned number, const BlockView &target,
                                  const BlockView *sums) {
  const Value &value = values[number];
  if (value.function == Function::Copy)
    return walker.visitor.convert(*at[value.arguments[0]].block, target);
  const Affine &affine = selection.affineOf(number);
  Argument bias = argument(affine.bias, 0);
  if (affine.isNegated) {
    BlockView negated = openTemporary(ElementType::F32, 1);
    walker.visitor.combine(Function::Mul, bias, {std::nullopt, -1}, negated);
    bias.block = negated;
  }
  walker.visitor.activate(value.function, *at[affine.from].block,
                          argument(affine.scale, 1), bias, target, sums);
}

/// Where the sums of the result's rows go, if the next nest is for these.
std::optional<BlockView> Walker::Evaluation::sumsBehind() {
  if (nest + 1 == walker.plan.nests.size() || !walker.addsUpPrevious(nest + 1))
    return std::nullopt;
  unsigned sums = walker.stageOf(nest + 1).result;
  return walker.inHome(*walker.plan.homeOf(sums, nest + 1), nest + 1, extents);
}

/// Whether ScalarE adds up the last value, a function of one other one, while
/// it computes it.
bool Walker::Evaluation::sumOnScalar(unsigned number) {
  const Value &value = values[number];
  if (stage.reduction->function != Function::Add || !value.is(value.function) ||
      value.arguments.size() != 1 || value.function == Function::Copy)
    return false;
  // Nobody reads what it writes beside the sums.
  activate(number, openTemporary(ElementType::BF16, columns), &to);
  return true;
}

void Walker::Evaluation::combine(const Value &value, const BlockView &target) {
  Argument left = at[value.arguments[0]], right = at[value.arguments[1]];
  if (isInBank(value.arguments[0]) && isInBank(value.arguments[1])) {
    BlockView copy = openTemporary(ElementType::F32, columns);
    walker.visitor.convert(*left.block, copy);
    left.block = copy;
  }
  walker.visitor.combine(value.function, left, right, target);
}

void Walker::evaluate(unsigned nest, const Extents &extents,
                      llvm::ArrayRef<BlockView> sums, const BlockView &to) {
  if (stageOf(nest).expression.isPlain())
    return visitor.convert(sums.front(), to);
  Evaluation(*this, nest, extents, sums, to).run();
}

void Walker::reduce(unsigned nest, const Extents &extents,
                    const BlockView &to) {
  Evaluation(*this, nest, extents, {}, to).run();
}
