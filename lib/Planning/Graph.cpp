//===- Graph.cpp - What a kernel computes ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

#include <numeric>

using namespace mlir::trn;
using namespace mlir::trn::planning;

llvm::SmallVector<unsigned, 4> Stage::operands() const {
  llvm::SmallVector<unsigned, 4> operands;
  if (source)
    operands.push_back(*source);
  for (const Term &term : terms) {
    operands.push_back(term.left);
    operands.push_back(term.right);
  }
  llvm::append_range(operands, expression.matrices());
  return operands;
}

unsigned Stage::numProducts() const {
  unsigned count = 0;
  for (const Term &term : terms)
    count = std::max(count, term.sum + 1);
  return count;
}

/// Whether `matrix` is one of its operands.
static bool reads(const Stage &stage, unsigned matrix) {
  return stage.source == matrix ||
         llvm::any_of(stage.terms,
                      [&](const Term &term) {
                        return term.left == matrix || term.right == matrix;
                      }) ||
         llvm::any_of(stage.expression.values, [&](const Value &value) {
           return value.kind == Value::Kind::Matrix && value.number == matrix;
         });
}

bool Stage::uses(unsigned matrix) const {
  return result == matrix || reads(*this, matrix);
}

bool Stage::sumsOver(unsigned dim) const {
  return (reducesAll() && reduction->over == dim) ||
         llvm::any_of(terms,
                      [&](const Term &term) { return term.over == dim; });
}

const Term *Stage::productOf(unsigned matrix) const {
  for (const Term &term : terms)
    if (term.left == matrix || term.right == matrix)
      return &term;
  return nullptr;
}

bool Graph::isPartOf(unsigned part, unsigned dim) const {
  return part == dim || dims[part].of == dim;
}

bool Graph::widens(const Stage &stage) const {
  return stage.terms.empty() && !stage.isTransposition() && !stage.reduction &&
         llvm::all_of(stage.expression.matrices(), [&](unsigned matrix) {
           return isStorage(matrices[matrix].type);
         });
}

llvm::SmallVector<unsigned, 2> Graph::dimsIn(llvm::ArrayRef<unsigned> users,
                                             unsigned matrix,
                                             unsigned dim) const {
  llvm::SmallVector<unsigned, 2> found;
  for (unsigned user : users) {
    const Stage &stage = stages[user];
    const Matrix &result = matrices[stage.result];
    llvm::SmallVector<unsigned, 4> own{result.rows, result.columns};
    for (const Term &term : stage.terms)
      if (term.left == matrix || term.right == matrix)
        own.push_back(term.over);
    if (stage.reduction && stage.result != matrix)
      own.push_back(stage.reduction->over);
    llvm::erase_if(own, [&](unsigned part) { return !isPartOf(part, dim); });
    if (own.empty())
      own.push_back(dim);
    for (unsigned part : own)
      if (!llvm::is_contained(found, part))
        found.push_back(part);
  }
  return found;
}

bool Graph::isColumn(const Stage &stage, unsigned sum) const {
  return llvm::any_of(stage.terms, [&](const Term &term) {
    return term.sum == sum &&
           !isPartOf(columnsIn(stage), matrices[term.right].columns);
  });
}

const Term *Graph::findBeside(const Stage &stage, unsigned matrix) const {
  if (stage.terms.size() < 2)
    return nullptr;
  auto isAlone = [&](const Term &term) {
    return llvm::count_if(stage.terms, [&](const Term &other) {
             return other.sum == term.sum || other.right == term.right ||
                    other.left == term.right;
           }) == 1;
  };
  const Term *host = stage.productOf(matrix);
  if (!host || host->right != matrix || matrices[matrix].role != Role::Input ||
      isColumn(stage, host->sum) || !isAlone(*host) ||
      llvm::count_if(stages, [&](const Stage &other) {
        return reads(other, matrix);
      }) != 1)
    return nullptr;
  for (const Term &term : stage.terms)
    if (isColumn(stage, term.sum) && isAlone(term) &&
        matrices[term.right].role == Role::Constant &&
        term.left == host->left && term.over == host->over)
      return &term;
  return nullptr;
}

bool Graph::isBeside(const Stage &stage, unsigned matrix) const {
  return llvm::any_of(stage.terms, [&](const Term &term) {
    const Term *beside = findBeside(stage, term.right);
    return beside && beside->right == matrix;
  });
}

unsigned Graph::numBeside(const Stage &stage) const {
  return llvm::count_if(stage.terms, [&](const Term &term) {
    return isBeside(stage, term.right);
  });
}

bool Graph::isMoved(unsigned matrix) const {
  return matrices[matrix].role == Role::Result ||
         (matrices[matrix].role == Role::Input &&
          llvm::any_of(stages, [&](const Stage &stage) {
            return llvm::is_contained(stage.operands(), matrix);
          }));
}

bool Graph::isRepeated(const Stage &stage, unsigned matrix) const {
  return llvm::is_contained(stage.expression.matrices(), matrix) &&
         !isPartOf(matrices[stage.result].rows, matrices[matrix].rows);
}

int64_t Graph::repeatsOf(const Stage &stage, unsigned number) const {
  const Matrix &matrix = matrices[number], &result = matrices[stage.result];
  unsigned columns = columnsIn(stage), own = matrix.columns;
  // It may be the other way round, too, before the graph is legal.
  bool hasRows = isPartOf(result.rows, matrix.rows) || sizeOf(matrix.rows) == 1;
  bool isFraction = !stage.reduction && hasRows && sizeOf(own) > 1 &&
                    !isPartOf(columns, own) && !isPartOf(result.rows, own) &&
                    !dims[own].groupsOf && sizeOf(columns) % sizeOf(own) == 0;
  return isFraction ? sizeOf(columns) / sizeOf(own) : 1;
}

std::optional<int64_t> Graph::groupIn(const Stage &stage) const {
  if (stage.reduction && stage.reduction->byGroup)
    return groupSize(matrices[stage.result].columns);
  for (unsigned matrix : stage.expression.matrices())
    if (readsByGroup(stage, matrix))
      return groupSize(matrices[matrix].columns);
  return std::nullopt;
}

int64_t Graph::periodOf(const Stage &stage) const {
  int64_t period = groupIn(stage).value_or(1);
  for (const Value &value : stage.expression.values)
    if (value.rotation)
      period = std::lcm(period, 2 * value.rotation);
    else if (value.kind == Value::Kind::Matrix &&
             repeatsOf(stage, value.number) > 1)
      period = std::lcm(period, columnsOf(matrices[value.number]));
  return period;
}

bool Graph::mayAddUp(unsigned number) const {
  const Stage &stage = stages[number];
  if (!number || !stage.reducesAll() ||
      stage.reduction->function != Function::Add ||
      stage.expression.values.size() != 1)
    return false;
  unsigned added = stage.expression.values.front().number;
  const Stage &previous = stages[number - 1];
  const std::vector<Value> &values = previous.expression.values;
  if (previous.result != added || previous.reduction || values.empty() ||
      !previous.terms.empty() || matrices[added].type != ElementType::F32)
    return false;
  const Value &last = values.back();
  return last.arguments.size() == 1 && last.function != Function::Copy &&
         matrices[added].columns == stage.reduction->over;
}

llvm::SmallVector<unsigned, 4> Graph::dimsOf(const Stage &stage) const {
  const Matrix &result = matrices[stage.result];
  // Loops over what groups are of are loops over these.
  llvm::SmallVector<unsigned, 4> own{
      result.rows, dims[result.columns].groupsOf.value_or(result.columns)};
  for (const Term &term : stage.terms)
    if (!llvm::is_contained(own, term.over))
      own.push_back(term.over);
  if (stage.reducesAll())
    own.push_back(stage.reduction->over);
  return own;
}

llvm::SmallVector<unsigned, 2> Graph::batches() const {
  llvm::SmallVector<unsigned, 2> found;
  auto isBatchIn = [&](unsigned dim) {
    return llvm::any_of(llvm::seq<unsigned>(0, matrices.size()),
                        [&](unsigned matrix) { return hasBatch(matrix, dim); });
  };
  for (unsigned dim = 0; dim < dims.size(); ++dim)
    if (isBatchIn(dim))
      found.push_back(dim);
  return found;
}

bool Graph::hasBatch(unsigned matrix, unsigned dim) const {
  return llvm::is_contained(matrices[matrix].rowBatches, dim) ||
         llvm::is_contained(matrices[matrix].columnBatches, dim);
}

llvm::SmallVector<int64_t, 4> Graph::shapeInHbm(const Matrix &matrix) const {
  if (int64_t width = matrix.headColumns)
    return {columnsOf(matrix) / width, rowsOf(matrix), width};
  llvm::SmallVector<int64_t, 4> shape;
  auto add = [&](llvm::ArrayRef<unsigned> outer, unsigned dim) {
    for (unsigned batch : outer)
      shape.push_back(sizeOf(batch));
    shape.push_back(sizeOf(dim));
  };
  add(matrix.rowBatches, matrix.rows);
  if (matrix.window)
    shape.back() = matrix.window->rows;
  add(matrix.columnBatches, matrix.columns);
  if (matrix.window)
    shape.back() = matrix.window->columns;
  return shape;
}

int64_t Graph::columnsInHbm(const Matrix &matrix) const {
  if (matrix.headColumns)
    return matrix.headColumns;
  int64_t columns = matrix.window ? matrix.window->columns : columnsOf(matrix);
  for (unsigned batch : matrix.columnBatches)
    columns *= sizeOf(batch);
  return columns;
}

double Graph::bytesOf(const Matrix &matrix) const {
  double bytes = double(byteSize(matrix.type));
  bytes *= double(rowsOf(matrix)) * double(columnsOf(matrix));
  for (const auto &batches : {matrix.rowBatches, matrix.columnBatches})
    for (unsigned batch : batches)
      bytes *= double(sizeOf(batch));
  return bytes;
}

bool planning::areIdentical(const Graph &a, const Graph &b) {
  auto haveSameName = [](const auto &pair) {
    return std::get<0>(pair).name == std::get<1>(pair).name;
  };
  return a == b && llvm::all_of(llvm::zip(a.dims, b.dims), haveSameName) &&
         llvm::all_of(llvm::zip(a.matrices, b.matrices), haveSameName);
}
