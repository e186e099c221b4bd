//===- HalvesReader.cpp - How halves of columns are computed --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HalvesReader.h"

#include "NormalizeSteps.h"
#include "TensorType.h"
#include "trn/Transforms/Normalize/DimRange.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<unsigned> HalvesReader::add(Number number) {
  if (numbers.size() == maxNumbers)
    return std::nullopt;
  for (unsigned operand : number.operands)
    number.readsHalves |= numbers[operand].readsHalves;
  numbers.push_back(std::move(number));
  return numbers.size() - 1;
}

/// Of [..., columns], or of [..., pairs, 2].
std::optional<unsigned> HalvesReader::readHalf(tensor::ExtractSliceOp slice,
                                               AffineMap map) {
  std::optional<DimRange> range = matchRange(slice);
  RankedTensorType type = slice.getSourceType();
  int64_t last = type.getRank() - 1;
  if (!range || slice.getType().getRank() != type.getRank() ||
      range->dim != last)
    return std::nullopt;
  AffineExpr column = getAffineDimExpr(map.getNumDims() - 1, map.getContext());
  Value source = slice.getSource();
  if (areNeighbours && range->size == 1 && last > 0) {
    auto pairs = source.getDefiningOp<tensor::ExpandShapeOp>();
    if (!pairs || type.getDimSize(last) != 2 ||
        pairs.getSrcType().getRank() != last ||
        pairs.getReassociationIndices().back().size() != 2)
      return std::nullopt;
    source = pairs.getSrc();
    map = map.dropResult(last--);
  } else if (range->size != count || range->stride != (areNeighbours ? 2 : 1)) {
    return std::nullopt;
  }
  if (map.getResult(last) != column ||
      map.dropResult(last).isFunctionOfDim(map.getNumDims() - 1))
    return std::nullopt;
  return add({nullptr, {}, source, map, range->offset, true});
}

/// Where `map` reads a tensor that lacks dimensions of one, or has more.
static std::optional<AffineMap> throughUnits(Operation *op, AffineMap map) {
  RankedTensorType from = typeOf(op->getOperand(0)),
                   to = typeOf(op->getResult(0));
  SmallVector<AffineExpr> indices;
  int64_t own = 0;
  for (int64_t size : from.getShape()) {
    if (size == 1) {
      bool has = own < to.getRank() && to.getDimSize(own) == 1;
      indices.push_back(has ? map.getResult(own++)
                            : getAffineConstantExpr(0, map.getContext()));
      continue;
    }
    while (own < to.getRank() && to.getDimSize(own) == 1)
      ++own;
    if (own == to.getRank() || to.getDimSize(own) != size)
      return std::nullopt;
    indices.push_back(map.getResult(own++));
  }
  return AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
}

std::optional<unsigned> HalvesReader::compute(Value scalar, linalg::LinalgOp op,
                                              AffineMap loops) {
  if (auto argument = dyn_cast<BlockArgument>(scalar);
      argument && argument.getOwner() == op.getBlock()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    return read(operand->get(),
                op.getMatchingIndexingMap(operand).compose(loops));
  }
  Operation *inner = scalar.getDefiningOp();
  if (!inner || inner->getBlock() != op.getBlock())
    return add({nullptr, {}, scalar});
  if (inner->getNumRegions() || inner->getNumResults() != 1 ||
      !isMemoryEffectFree(inner))
    return std::nullopt;
  Number number{inner};
  for (Value operand : inner->getOperands()) {
    std::optional<unsigned> of = compute(operand, op, loops);
    if (!of)
      return std::nullopt;
    number.operands.push_back(*of);
  }
  return add(std::move(number));
}

std::optional<unsigned> HalvesReader::readComputed(linalg::LinalgOp op,
                                                   AffineMap map) {
  if (!op.hasPureTensorSemantics() || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() || op.hasIndexSemantics() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return std::nullopt;
  AffineMap own = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!own.isPermutation())
    return std::nullopt;
  return compute(op.getBlock()->getTerminator()->getOperand(0), op,
                 inversePermutation(own).compose(map));
}

std::optional<unsigned> HalvesReader::read(Value tensor, AffineMap map) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  if (!type || !type.hasStaticShape())
    return std::nullopt;
  Operation *op = tensor.getDefiningOp();
  if (op && (op->getBlock() != block || tables.contains(op)))
    op = nullptr;
  std::optional<unsigned> made;
  size_t before = numbers.size(), passedBefore = passed.size();
  if (auto slice = dyn_cast_if_present<tensor::ExtractSliceOp>(op)) {
    made = readHalf(slice, map);
  } else if (op && isReshape(op)) {
    if (std::optional<AffineMap> own = throughUnits(op, map))
      made = read(op->getOperand(0), *own);
  } else if (auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op)) {
    if (!isa<linalg::FillOp>(op))
      made = readComputed(linalgOp, map);
  } else if (op && isElementwise(op) && op->getNumResults() == 1) {
    Number number{op};
    for (Value operand : op->getOperands()) {
      std::optional<unsigned> of = read(operand, map);
      if (!of)
        break;
      number.operands.push_back(*of);
    }
    if (number.operands.size() == op->getNumOperands())
      made = add(std::move(number));
  }
  if (made && numbers[*made].readsHalves) {
    if (!isa<tensor::ExtractSliceOp>(op))
      passed.insert(op);
    return made;
  }
  // A table, without what repeats it.
  if (made && isa<linalg::LinalgOp>(op) && numbers[*made].isElement())
    return made;
  numbers.resize(before);
  while (passed.size() > passedBefore)
    passed.pop_back();
  if (op)
    tables.insert(op);
  return add({nullptr, {}, tensor, map});
}

bool HalvesReader::isAllFor(Operation *user) const {
  return llvm::all_of(passed, [&](Operation *op) {
    return llvm::all_of(op->getUsers(), [&](Operation *other) {
      return other == user || passed.contains(other);
    });
  });
}

void HalvesReader::erase() {
  SmallVector<Operation *> ops(passed.getArrayRef());
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *op : ops)
    if (isOpTriviallyDead(op))
      op->erase();
}
