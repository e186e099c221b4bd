//===- KernelRegion.cpp - What one kernel computes ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRegion.h"

#include "StoredHeads.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/Lower/ExpressionBuilder.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/GroupMatcher.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"
#include "trn/Transforms/Normalize/RotationMatcher.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// What a region may contain
//===----------------------------------------------------------------------===//

/// Whether kernels compute `tensor` or, if `mayBeStorage`, read it.
static bool isFloats(Value tensor, bool mayBeStorage = false) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() && type.getRank() != 0 &&
         (mayBeStorage ? getMatrixElementType(type.getElementType())
                       : getFloatElementType(type.getElementType()));
}

/// Whether constant indices of `map` are those of dimensions of one.
static bool readsWhole(AffineMap map, RankedTensorType type) {
  return llvm::all_of_zip(map.getResults(), type.getShape(),
                          [](AffineExpr index, int64_t size) {
                            return !isa<AffineConstantExpr>(index) || size == 1;
                          });
}

/// What keeps a kernel from computing `op`, which runs over all elements, or
/// nothing.
static std::string findObstacle(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1)
    return formatv("it has {0} results", op.getNumDpsInits());
  bool rotates = matchRotation(op).has_value();
  if (op.hasIndexSemantics() && !rotates)
    return "it computes with indices";
  bool reduces = !op.isAllParallelLoops();
  bool reducesGroups = matchGroupReduction(op).has_value();
  std::string obstacle;
  if (reduces && !matchReduction(op, &obstacle))
    return obstacle;
  if (!reduces && op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return "it reads what it overwrites";
  for (OpOperand &operand : op->getOpOperands()) {
    if (auto type = dyn_cast<RankedTensorType>(operand.get().getType());
        type && type.getRank() == 0)
      return formatv("it works on {0}, but kernels compute tensors of one "
                     "dimension or more; one number is as fast on the host",
                     type);
    if (!isFloats(operand.get(), /*mayBeStorage=*/op.isDpsInput(&operand)))
      return formatv("it works on {0}, but kernels compute static tensors of "
                     "bf16, f16 and f32",
                     operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    auto reads = [&] {
      auto type = cast<RankedTensorType>(operand.get().getType());
      return (map.isProjectedPermutation(/*allowZeroInResults=*/true) &&
              readsWhole(map, type)) ||
             rotates || reducesGroups || sizeOfGroups(map) ||
             repeatsColumns(map, type.getShape());
    };
    if (op.isDpsInit(&operand) && !reduces ? !map.isPermutation() : !reads())
      return formatv("it reads or writes elements in the order of {0}", map);
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(), captured);
  for (Value value : captured)
    if (!matchPattern(value, m_Constant()))
      return "it reads a scalar that is no constant; make it a tensor<1xf32>";
  Operation *fold =
      reduces ? op.getBody()->getTerminator()->getOperand(0).getDefiningOp()
              : nullptr;
  for (Operation &inner : op.getBody()->without_terminator())
    if (!rotates && &inner != fold && !isExpressible(&inner))
      return formatv("'{0}' in its body is nothing that the engines compute",
                     inner.getName());
  return "";
}

std::string mlir::trn::findRegionObstacle(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && !linalgOp.hasPureTensorSemantics())
    return "it works on buffers, but kernels are made from tensors";
  if (auto heads = matchHeads(op); heads && findStoredHeads(heads->rows()))
    return "it is how the kernel of its operand stores that";
  if (isa<linalg::TransposeOp>(op) && isFloats(op->getResult(0)))
    return "";
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    return findObstacle(generic);
  return formatv("kernels compute products, linalg.generic and "
                 "linalg.transpose, but no '{0}'",
                 op->getName());
}

SplatElementsAttr mlir::trn::findUniform(Value tensor) {
  SplatElementsAttr splat;
  if (matchPattern(tensor, m_Constant(&splat)))
    return splat;
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  TypedAttr value;
  if (fill && type && type.hasStaticShape() &&
      matchPattern(fill.getInputs()[0], m_Constant(&value)) &&
      value.getType() == type.getElementType())
    return cast<SplatElementsAttr>(
        DenseElementsAttr::get(type, Attribute(value)));
  return {};
}

//===----------------------------------------------------------------------===//
// What it reads and computes
//===----------------------------------------------------------------------===//

using Use = RegionInput::Use;

tensor::ExtractSliceOp RegionInput::slice() const {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && !isTurned() && isInArgument(slice) && !isKnownAtLoad(value)
             ? slice
             : nullptr;
}

RegionInput mlir::trn::readElements(OpOperand *operand) {
  auto op = cast<linalg::LinalgOp>(operand->getOwner());
  AffineMap map = op.getMatchingIndexingMap(operand);
  SmallVector<unsigned> loops;
  for (AffineExpr index : map.getResults())
    if (auto loop = dyn_cast<AffineDimExpr>(index))
      loops.push_back(loop.getPosition());
  bool isAcross = isa<linalg::TransposeOp>(op) || !llvm::is_sorted(loops) ||
                  llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *other) {
                    return other < operand && other->get() == operand->get() &&
                           op.getMatchingIndexingMap(other) != map;
                  });
  return {operand->get(), isAcross ? Use::Across : Use::Elementwise};
}

/// What `member` reads.
static SmallVector<RegionInput> inputsOf(const RegionOp &member,
                                         bool isTurnedByHost) {
  SmallVector<RegionInput> inputs;
  if (Product *product = member.product) {
    inputs.push_back({product->lhs.tensor, Use::Rows});
    inputs.push_back({product->rhs.tensor, Use::Weight, product->contraction});
    if (product->rhs.isTransposed &&
        (product->isTurnedByHost || isTurnedByHost))
      inputs.back().permutation = swapMatrixDims(product->rhs.dims);
    return inputs;
  }
  for (OpOperand *operand :
       cast<linalg::LinalgOp>(member.op).getDpsInputOperands())
    if (!findUniform(operand->get()))
      inputs.push_back(readElements(operand));
  return inputs;
}

SmallVector<RegionInput> KernelRegion::inputs() const {
  SmallVector<RegionInput> inputs;
  DenseSet<Value> own;
  for (const RegionOp &member : ops) {
    for (const RegionInput &input : inputsOf(member, isTurnedByHost))
      if (!own.contains(input.value) && !llvm::is_contained(inputs, input))
        inputs.push_back(input);
    own.insert(member.result());
  }
  return inputs;
}

Operation *KernelRegion::mainOp() const {
  auto last = llvm::find_if(llvm::reverse(ops), [](const RegionOp &member) {
    return member.product;
  });
  return last == ops.rend() ? ops.back().op : last->product->contraction;
}

int64_t KernelRegion::numLevels() const {
  DenseMap<Value, int64_t> levels;
  int64_t most = 0;
  for (const RegionOp &member : ops) {
    int64_t level = 0;
    for (const RegionInput &input : inputsOf(member, isTurnedByHost))
      level = std::max(level, levels.lookup(input.value));
    if (member.product)
      level = std::max<int64_t>(level + !member.product->isContinuing, 1);
    levels[member.result()] = level;
    most = std::max(most, level);
  }
  return most;
}

Value KernelRegion::sourceOf(Value result) const {
  std::optional<MovedHeads> heads = matchHeads(result.getDefiningOp());
  bool isMember = llvm::any_of(
      ops, [&](const RegionOp &member) { return member.result() == result; });
  return heads && !isMember ? heads->rows() : result;
}

Operation *KernelRegion::opOf(Value result) const {
  result = sourceOf(result);
  for (const RegionOp &member : ops)
    if (member.product && member.result() == result)
      return member.product->contraction;
  return result.getDefiningOp();
}

/// What reads inside of `region`.
static DenseSet<Operation *> readersIn(const KernelRegion &region) {
  DenseSet<Operation *> readers;
  for (const RegionOp &member : region.ops)
    readers.insert(member.reader());
  return readers;
}

SmallVector<Value> KernelRegion::results() const {
  DenseSet<Operation *> own = readersIn(*this);
  SmallVector<Value> results;
  for (const RegionOp &member : ops)
    if (!llvm::all_of(member.result().getUsers(),
                      [&](Operation *user) { return own.contains(user); })) {
      std::optional<MovedHeads> heads = findStoredHeads(member.result());
      results.push_back(heads ? heads->transpose->getResult(0)
                              : member.result());
    }
  // Nobody reads it.
  if (results.empty())
    results.push_back(ops.back().result());
  return results;
}

Operation *KernelRegion::findFirstReader(PlaceOf placeOf) const {
  DenseSet<Operation *> own = readersIn(*this);
  Block *block = ops.front().op->getBlock();
  Operation *place = ops.back().op->getNextNode();
  for (Value result : results())
    for (Operation *user : sourceOf(result).getUsers()) {
      if (own.contains(user))
        continue;
      for (Operation *reader : {user, placeOf(user)}) {
        // Another block comes later.
        reader = reader ? block->findAncestorOpInBlock(*reader) : nullptr;
        if (reader && reader->isBeforeInBlock(place))
          place = reader;
      }
    }
  return place;
}

Operation *KernelRegion::findPlace(PlaceOf placeOf) const {
  Operation *place = findFirstReader(placeOf);
  Block *block = ops.front().op->getBlock();
  bool isKnown = llvm::all_of(inputs(), [&](const RegionInput &input) {
    Operation *op = input.value.getDefiningOp();
    if (!op || op->getBlock() != block)
      return true;
    Operation *call = placeOf(op);
    return call ? !place->isBeforeInBlock(call) : op->isBeforeInBlock(place);
  });
  return isKnown ? place : nullptr;
}

std::pair<KernelRegion, KernelRegion> KernelRegion::splitLast() const {
  KernelRegion before = *this, last = {{ops.back()}, isTurnedByHost};
  before.ops.pop_back();
  // A chain is one thing.
  while (const Product *first = last.ops.front().product) {
    auto *previous = llvm::find_if(before.ops, [&](const RegionOp &member) {
      return first->isContinuing && member.result() == first->lhs.tensor;
    });
    if (previous == before.ops.end())
      break;
    last.ops.insert(last.ops.begin(), *previous);
    before.ops.erase(previous);
  }
  // What widens a weight belongs to the product.
  for (const RegionOp &member : SmallVector<RegionOp>(last.ops)) {
    auto *own = llvm::find_if(before.ops, [&](const RegionOp &other) {
      return member.product && other.result() == member.product->rhs.tensor;
    });
    if (own == before.ops.end())
      continue;
    last.ops.insert(llvm::find_if(last.ops,
                                  [&](const RegionOp &other) {
                                    return own->op->isBeforeInBlock(other.op);
                                  }),
                    *own);
    before.ops.erase(own);
  }
  return {std::move(before), std::move(last)};
}
