//===- CheckMasks.cpp - Masks and constants of a graph --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckMasks.h"

#include "trn/Planning/LiveBand.h"
#include "trn/Support/Refuse.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mlir::trn;
using namespace mlir::trn::planning;

static llvm::Error checkBand(const Matrix &matrix) {
  const std::optional<Band> &band = matrix.band;
  // graph_c13
  bool isMask = matrix.role == Role::Input || matrix.role == Role::Constant;
  if (band && (!isMask || (band->inside != 0 && !std::isinf(band->inside))))
    return refuse("{0} has a band, so it must be an input or a constant, of "
                  "zeros or of infinities",
                  matrix.name);
  if (band && band->period < 0)
    return refuse(
        "the band of {0} repeats every {1} rows, but must every 1 or more",
        matrix.name, band->period);
  if (band && band->least && band->most && *band->least > *band->most)
    return refuse("the band of {0} begins at diagonal {1}, after its end at "
                  "{2}",
                  matrix.name, *band->least, *band->most);
  return llvm::Error::success();
}

static llvm::Error checkConstant(const Matrix &matrix) {
  // graph_c15
  if (matrix.role != Role::Constant)
    return llvm::Error::success();
  if (!matrix.rowBatches.empty() || !matrix.columnBatches.empty())
    return refuse("{0} is a constant, so it must have no batch dims",
                  matrix.name);
  if (!std::isfinite(matrix.constant))
    return refuse("{0} is a constant, so its value must be finite",
                  matrix.name);
  if (matrix.band && (matrix.band->period || matrix.band->inside != 0))
    return refuse("the band of {0}, a constant, must be of zeros, which do not "
                  "repeat; give the kernel the mask",
                  matrix.name);
  return llvm::Error::success();
}

llvm::Error planning::checkMask(const Matrix &matrix) {
  if (llvm::Error error = checkBand(matrix))
    return error;
  return checkConstant(matrix);
}

/// Whether value `number` is the first sum, or that scaled and rounded, of
/// which what a mask hides stays the least.
static bool isFirstSum(const Expression &expression, unsigned number) {
  const Value &value = expression.values[number];
  auto isPositive = [&](unsigned argument) {
    const Value &other = expression.values[argument];
    return other.kind == Value::Kind::Constant && other.constant > 0;
  };
  if (value.kind != Value::Kind::Apply)
    return value.kind == Value::Kind::Sum && value.number == 0;
  bool isScaled = value.function == Function::Copy ||
                  value.function == Function::Mul ||
                  value.function == Function::Div;
  llvm::ArrayRef<unsigned> others = value.arguments;
  return isScaled && isFirstSum(expression, others.front()) &&
         llvm::all_of(others.drop_front(), isPositive);
}

/// Of masks that are made on chip.
static llvm::Error checkMadeMasks(const Graph &graph) {
  auto mask = llvm::find_if(graph.matrices, isMadeMask);
  if (mask == graph.matrices.end())
    return llvm::Error::success();
  // graph_c15
  auto refuseMask = [&](llvm::StringRef why) {
    return refuse("{0} is a mask that is a constant, but {1}; give the kernel "
                  "the mask",
                  mask->name, why);
  };
  std::optional<LiveBand> live = findLiveBand(graph);
  if (!live)
    return refuseMask("what it hides is stored or added up");
  auto isEmpty = [&](int64_t row) {
    auto [first, end] =
        live->band.columnsOf(row, 1, 0, graph.sizeOf(live->columns));
    return first >= end;
  };
  if (isEmpty(0) || isEmpty(graph.sizeOf(live->rows) - 1))
    return refuseMask("it leaves nothing of a row");
  for (const Matrix &matrix : graph.matrices)
    if (isMadeMask(matrix) && !live->isMask(matrix))
      return refuseMask("another mask has other dims or another band");
  auto isHidden = [&](unsigned matrix) {
    return live->isIn(graph.matrices[matrix]) &&
           !isMadeMask(graph.matrices[matrix]);
  };
  auto isMisused = [&](const Stage &stage, const Value &value) {
    const auto &values = stage.expression.values;
    auto isMask = [&](unsigned argument) {
      return values[argument].kind == Value::Kind::Matrix &&
             isMadeMask(graph.matrices[values[argument].number]);
    };
    auto isSum = [&](unsigned argument) {
      return isFirstSum(stage.expression, argument);
    };
    return llvm::any_of(value.arguments, isMask) &&
           !(value.is(Function::Add) && llvm::any_of(value.arguments, isSum));
  };
  for (const Stage &stage : graph.stages)
    if ((stage.isTransposition() &&
         live->isIn(graph.matrices[*stage.source])) ||
        llvm::any_of(stage.expression.matrices(), isHidden))
      return refuseMask("what it hides is read element by element");
    else if (llvm::any_of(stage.expression.values, [&](const Value &value) {
               return isMisused(stage, value);
             }))
      return refuseMask("it is not added to the first sum of a stage");
  return llvm::Error::success();
}

llvm::Error planning::checkConstants(const Graph &graph) {
  for (const Stage &stage : graph.stages)
    for (unsigned operand : stage.expression.matrices())
      // graph_c15
      if (const Matrix &matrix = graph.matrices[operand];
          matrix.role == Role::Constant && !matrix.band)
        return refuse("{0} is a constant number, so only products may read "
                      "it; write its value into the expression of {1}",
                      matrix.name, graph.matrices[stage.result].name);
  return checkMadeMasks(graph);
}
