//===- CheckGraph.cpp - Whether a graph is a kernel -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckGroups.h"
#include "CheckMasks.h"

#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// Whether `count` from `first` on are inside of `size`.
static bool liesInside(int64_t first, int64_t count, int64_t size) {
  return first >= 0 && count <= size && first <= size - count;
}

static llvm::Error checkWindow(const Graph &graph, const Matrix &matrix) {
  if (!matrix.window)
    return llvm::Error::success();
  const Window &window = *matrix.window;
  // graph_c11
  if (matrix.role != Role::Input)
    return refuse("{0} lies in a larger matrix, so it must be an input",
                  matrix.name);
  if (!liesInside(window.row, graph.rowsOf(matrix), window.rows) ||
      !liesInside(window.column, graph.columnsOf(matrix), window.columns))
    return refuse("{0}, {1} x {2} from ({3}, {4}), does not lie inside of the "
                  "{5} x {6} that it is a part of",
                  matrix.name, graph.rowsOf(matrix), graph.columnsOf(matrix),
                  window.row, window.column, window.rows, window.columns);
  // graph_c1
  double bytes = double(byteSize(matrix.type));
  for (int64_t size : graph.shapeInHbm(matrix))
    bytes *= double(size);
  if (bytes > 0x1p60)
    return refuse("{0} lies in {1} x {2}, which is larger than any memory",
                  matrix.name, window.rows, window.columns);
  return llvm::Error::success();
}

static llvm::Error checkHeads(const Graph &graph, const Matrix &matrix) {
  int64_t width = matrix.headColumns, columns = graph.columnsOf(matrix);
  if (!width)
    return llvm::Error::success();
  // graph_c17
  if (matrix.role != Role::Result || !matrix.rowBatches.empty() ||
      !matrix.columnBatches.empty())
    return refuse("{0} has heads, so it must be a result without batch dims",
                  matrix.name);
  if (width >= columns || columns % width)
    return refuse("{0} has heads of {1} columns, so it must have a multiple of "
                  "them, at least two heads, but has {2} columns",
                  matrix.name, width, columns);
  return llvm::Error::success();
}

llvm::Error Graph::checkSizes() const {
  // graph_c1
  for (const Dim &dim : dims)
    if (dim.size < 1)
      return refuse("dim {0} is {1}, but must be at least 1", dim.name,
                    dim.size);
  // graph_c5
  for (const Dim &dim : dims) {
    if (!dim.of)
      continue;
    if (*dim.of >= dims.size() || dims[*dim.of].of)
      return refuse("dim {0} must be a part of a dim that is whole", dim.name);
    const Dim &whole = dims[*dim.of];
    if (!liesInside(dim.offset, dim.size, whole.size))
      return refuse("dim {0}, {1} from {2}, does not lie inside of {3}, which "
                    "has {4}",
                    dim.name, dim.size, dim.offset, whole.name, whole.size);
  }
  // graph_c1
  for (const Matrix &matrix : matrices) {
    auto exists = [&](unsigned dim) { return dim < dims.size(); };
    if (!exists(matrix.rows) || !exists(matrix.columns) ||
        matrix.rows == matrix.columns ||
        !llvm::all_of(matrix.rowBatches, exists) ||
        !llvm::all_of(matrix.columnBatches, exists))
      return refuse("matrix {0} must have two different dims", matrix.name);
    if (llvm::SmallVector<int64_t, 4> shape = shapeInHbm(matrix);
        bytesOf(matrix) > 0x1p60)
      return refuse("matrix {0} of {1:$[ x ]} is larger than any memory",
                    matrix.name, llvm::make_range(shape.begin(), shape.end()));
    // graph_c14
    if (isStorage(matrix.type) && matrix.role != Role::Input)
      return refuse("{0} is {1}, which only inputs are; compute a float of 16 "
                    "or 32 bits",
                    matrix.name, stringify(matrix.type));
    if (llvm::Error error = checkWindow(*this, matrix))
      return error;
    if (llvm::Error error = checkMask(matrix))
      return error;
    if (llvm::Error error = checkHeads(*this, matrix))
      return error;
  }
  return checkGroups(*this);
}

static llvm::Error checkNumbers(const Graph &graph) {
  // graph_c1
  if (graph.stages.empty())
    return refuse("there must be at least one stage");
  for (const Stage &stage : graph.stages) {
    auto exists = [&](unsigned matrix) {
      return matrix < graph.matrices.size();
    };
    if (!exists(stage.result) || !llvm::all_of(stage.operands(), exists) ||
        llvm::any_of(
            stage.terms,
            [&](const Term &term) { return term.over >= graph.dims.size(); }) ||
        (stage.reduction && stage.reduction->over >= graph.dims.size()))
      return refuse("a stage uses a matrix or a dim that does not exist");
  }
  return llvm::Error::success();
}

/// Of a stage that multiplies or transposes `matrix`.
static llvm::Error checkStorage(const Matrix &matrix) {
  // graph_c14
  if (isStorage(matrix.type))
    return refuse("{0} is {1}, which is neither multiplied nor transposed; "
                  "widen it by a stage of its own",
                  matrix.name, stringify(matrix.type));
  return llvm::Error::success();
}

/// Of columns that repeat or change places.
static llvm::Error checkPeriods(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  unsigned columns = graph.columnsIn(stage);
  // graph_c16
  for (const Value &value : stage.expression.values) {
    if (!value.rotation)
      continue;
    const Matrix &matrix = graph.matrices[value.number];
    if (!graph.isPartOf(columns, matrix.columns))
      return refuse("{0} is rotated for {1}, so it must have its columns",
                    matrix.name, result.name);
    int64_t size = graph.sizeOf(columns);
    if (value.rotation < 0 || value.rotation > size ||
        size % (2 * value.rotation))
      return refuse("{0} is rotated by {1} columns, so it must have a multiple "
                    "of twice as many, but has {2}",
                    matrix.name, value.rotation, size);
  }
  // graph_c9, graph_c16
  if (graph.periodOf(stage) > 1)
    for (unsigned operand : stage.expression.matrices())
      if (graph.matrices[operand].band)
        return refuse("{0} is a mask, but columns for {1} repeat or are "
                      "rotated; compute these in a stage of their own",
                      graph.matrices[operand].name, result.name);
  return llvm::Error::success();
}

/// What the expression of `stage` reads of matrices.
static llvm::Error checkElements(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  unsigned columns = graph.columnsIn(stage);
  bool hasColumns = stage.numOpen() || graph.sizeOf(columns) == 1;
  // graph_c9
  for (unsigned operand : stage.expression.matrices()) {
    const Matrix &matrix = graph.matrices[operand];
    auto fits = [&](unsigned own, unsigned dim) {
      return own == dim || graph.isPartOf(dim, own) || graph.sizeOf(own) == 1;
    };
    bool repeats =
        matrix.role == Role::Input && graph.repeatsOf(stage, operand) > 1;
    if (!fits(matrix.rows, result.rows) ||
        !(repeats || graph.readsByGroup(stage, operand) ||
          fits(matrix.columns, columns)))
      return refuse("{0} is read element by element for {1}, so it must have "
                    "its rows and {2}, or dims of size 1 in their places",
                    matrix.name, result.name,
                    stage.reduction ? "the dim that it reduces" : "columns");
    hasColumns |= graph.isPartOf(columns, matrix.columns);
    if (stage.productOf(operand) || stage.source == operand)
      return refuse("{0} is a factor of {1}, so its elements cannot be read "
                    "for {1}, too; give the kernel the matrix twice",
                    matrix.name, result.name);
  }
  if (!hasColumns)
    return refuse("{0} is computed from columns alone; at least one matrix "
                  "must have the {1} columns that it has",
                  result.name, graph.sizeOf(columns));
  return checkPeriods(graph, stage);
}

static llvm::Error checkReduction(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  const Reduction &reduction = *stage.reduction;
  // graph_c12
  if (reduction.function != Function::Add &&
      reduction.function != Function::Max &&
      reduction.function != Function::Min)
    return refuse("{0} is reduced by {1}, but can by add, max and min",
                  result.name, stringify(reduction.function));
  bool hasGroups = graph.dims[result.columns].groupsOf == reduction.over;
  if (graph.columnsOf(result) != 1 && !hasGroups)
    return refuse("{0} is reduced over {1}, so it must have one column, or "
                  "groups of {1}, but has {2}",
                  result.name, graph.dims[reduction.over].name,
                  graph.columnsOf(result));
  if (reduction.function == Function::Add && result.type != ElementType::F32)
    return refuse("{0} is a sum, so it must be f32, but is {1}", result.name,
                  stringify(result.type));
  if (graph.wholeOf(result.rows) == graph.wholeOf(reduction.over))
    return refuse("{0} is reduced over {1}, which must be no part of its rows",
                  result.name, graph.dims[reduction.over].name);
  return llvm::Error::success();
}

static llvm::Error checkExpression(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  const std::vector<Value> &values = stage.expression.values;
  std::vector<bool> used(stage.numOpen(), false);
  // graph_c8
  if (values.empty() && used.size() > 1)
    return refuse("{0} is the first of {1} sums, so the others are for nothing",
                  result.name, used.size());
  if (values.empty())
    return llvm::Error::success();
  auto isConstant = [&](unsigned number) {
    return values[number].kind == Value::Kind::Constant;
  };
  for (auto [i, value] : llvm::enumerate(values)) {
    switch (value.kind) {
    case Value::Kind::Sum:
      if (value.number >= used.size())
        return refuse("{0} uses sum {1}, but has {2}", result.name,
                      value.number, used.size());
      used[value.number] = true;
      break;
    case Value::Kind::Constant:
      if (!std::isfinite(value.constant))
        return refuse("a constant of {0} is not finite", result.name);
      break;
    case Value::Kind::Matrix:
      break;
    case Value::Kind::Apply:
      if (int64_t(value.arguments.size()) != arity(value.function) ||
          llvm::any_of(value.arguments,
                       [i = i](unsigned other) { return other >= i; }))
        return refuse("{0} in {1} takes {2} values, which come before it, but "
                      "has {3}",
                      stringify(value.function), result.name,
                      arity(value.function), value.arguments.size());
      if (llvm::all_of(value.arguments, isConstant))
        return refuse("{0} in {1} is of constants; write its value instead",
                      stringify(value.function), result.name);
    }
  }
  bool isValue =
      values.back().kind == Value::Kind::Apply ||
      (stage.reduction && values.back().kind != Value::Kind::Constant);
  if (!isValue)
    return refuse("the expression of {0} must end with a function",
                  result.name);
  if (stage.expression.writtenSize(values.size() - 1) > Expression::maxSize)
    return refuse("the expression of {0} has more than {1} values", result.name,
                  Expression::maxSize);
  if (llvm::is_contained(used, false))
    return refuse("{0} does not depend on all of its sums", result.name);
  return checkElements(graph, stage);
}

static bool isGiven(const Matrix &matrix) {
  return matrix.role == Role::Input || matrix.role == Role::Constant;
}

static llvm::Error checkTransposition(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  const Matrix &source = graph.matrices[*stage.source];
  // graph_c4
  if (source.rows != result.columns || source.columns != result.rows)
    return refuse("{0} is the transpose of {1}, so it must have its dims in "
                  "the other order",
                  result.name, source.name);
  if (llvm::Error error = checkStorage(source))
    return error;
  if (source.type != result.type)
    return refuse("{0} is {1}, but {2}, which it is the transpose of, is {3}",
                  result.name, stringify(result.type), source.name,
                  stringify(source.type));
  if (!stage.terms.empty() || stage.reduction)
    return refuse("{0} is the transpose of {1}, so it can be no sum and no "
                  "reduction",
                  result.name, source.name);
  if (!stage.expression.isPlain() && isGiven(source))
    return refuse("{0} is computed of the transpose of {1}, so {1} must be "
                  "computed, too",
                  result.name, source.name);
  return checkExpression(graph, stage);
}

static llvm::Error checkProduct(const Graph &graph, const Stage &stage) {
  const Matrix &result = graph.matrices[stage.result];
  if (stage.reduction)
    if (llvm::Error error = checkReduction(graph, stage))
      return error;
  unsigned rows = graph.wholeOf(result.rows);
  unsigned columns = graph.wholeOf(result.columns);
  for (const Term &term : stage.terms) {
    const Matrix &first = graph.matrices[stage.terms[0].left];
    const Matrix &left = graph.matrices[term.left];
    const Matrix &right = graph.matrices[term.right];
    // graph_c3
    bool isColumn = !stage.reduction && graph.columnsOf(right) == 1 &&
                    !stage.expression.isPlain();
    if (!graph.isPartOf(term.over, left.rows) ||
        !graph.isPartOf(term.over, right.rows) ||
        !graph.isPartOf(result.rows, left.columns) ||
        !(isColumn || graph.isPartOf(graph.columnsIn(stage), right.columns)))
      return refuse("{0} is no product of {1} and {2} over {3}: both must have "
                    "{3} first, {1} the rows of {0} second, and {2} its "
                    "columns",
                    result.name, left.name, right.name,
                    graph.dims[term.over].name);
    for (const Matrix *operand : {&left, &right})
      if (llvm::Error error = checkStorage(*operand))
        return error;
    // graph_c6
    for (const Matrix *operand : {&left, &right})
      if (operand->type != first.type)
        return refuse("the operands of {0} must have one type, but {1} is {2} "
                      "and {3} is {4}",
                      result.name, first.name, stringify(first.type),
                      operand->name, stringify(operand->type));
    // graph_c7
    unsigned over = graph.wholeOf(term.over);
    if (rows == columns || over == rows || over == columns)
      return refuse("rows and columns of {0} and what it sums over must not be "
                    "parts of one dim",
                    result.name);
  }
  return checkExpression(graph, stage);
}

static llvm::Error checkBatches(const Graph &graph) {
  llvm::SmallVector<unsigned, 2> batches = graph.batches();
  auto isBatch = [&](unsigned dim) { return llvm::is_contained(batches, dim); };
  // graph_c10
  for (const Dim &dim : graph.dims)
    if (dim.of && (isBatch(&dim - graph.dims.data()) || isBatch(*dim.of)))
      return refuse("dim {0} is a batch dim or a part of one, so it must be "
                    "whole",
                    dim.name);
  for (const Matrix &matrix : graph.matrices) {
    llvm::SmallVector<unsigned, 2> own(matrix.rowBatches);
    llvm::append_range(own, matrix.columnBatches);
    llvm::sort(own);
    for (unsigned dim : {matrix.rows, matrix.columns})
      if (isBatch(dim))
        return refuse("{0} is a batch dim, so it cannot be rows or columns of "
                      "{1}",
                      graph.dims[dim].name, matrix.name);
    if (auto *twice = std::adjacent_find(own.begin(), own.end());
        twice != own.end())
      return refuse("{0} is twice a batch dim of {1}", graph.dims[*twice].name,
                    matrix.name);
    if (matrix.role == Role::Input || matrix.role == Role::Constant)
      continue;
    for (unsigned batch : batches)
      if (!llvm::is_contained(own, batch))
        return refuse("{0} is computed for each index of the batch dim {1}, so "
                      "it must have it, too",
                      matrix.name, graph.dims[batch].name);
  }
  return llvm::Error::success();
}

static llvm::Error checkOrder(const Graph &graph) {
  std::vector<bool> written(graph.matrices.size(), false);
  std::vector<bool> read(graph.matrices.size(), false);
  // graph_c2
  for (const Stage &stage : graph.stages) {
    for (unsigned operand : stage.operands()) {
      const Matrix &matrix = graph.matrices[operand];
      if (!isGiven(matrix) && !written[operand])
        return refuse("{0} is read before a stage computes it", matrix.name);
      read[operand] = true;
    }
    const Matrix &result = graph.matrices[stage.result];
    if (result.role == Role::Input)
      return refuse("{0} is an input, but a stage computes it", result.name);
    // graph_c15
    if (result.role == Role::Constant)
      return refuse("{0} is a constant, but a stage computes it", result.name);
    if (written[stage.result])
      return refuse("two stages compute {0}", result.name);
    written[stage.result] = true;
  }
  for (auto [i, matrix] : llvm::enumerate(graph.matrices)) {
    if (!isGiven(matrix) && !written[i])
      return refuse("no stage computes {0}, which is no input", matrix.name);
    if (matrix.role == Role::Intermediate && !read[i])
      return refuse("no stage reads {0}, which is no result", matrix.name);
    // graph_c17
    if (matrix.headColumns && read[i])
      return refuse("{0} has heads, so no stage must read it", matrix.name);
  }
  return llvm::Error::success();
}

llvm::Error Graph::check() const {
  if (llvm::Error error = checkSizes())
    return error;
  if (llvm::Error error = checkNumbers(*this))
    return error;
  if (llvm::Error error = checkBatches(*this))
    return error;
  for (const Stage &stage : stages) {
    const Matrix &result = matrices[stage.result];
    // graph_c7
    if (stage.terms.empty() && wholeOf(result.rows) == wholeOf(result.columns))
      return refuse("rows and columns of {0} must not be parts of one dim",
                    result.name);
    if (llvm::Error error = stage.isTransposition()
                                ? checkTransposition(*this, stage)
                                : checkProduct(*this, stage))
      return error;
    if (llvm::Error error = checkGroups(*this, stage))
      return error;
  }
  if (llvm::Error error = checkOrder(*this))
    return error;
  return checkConstants(*this);
}
