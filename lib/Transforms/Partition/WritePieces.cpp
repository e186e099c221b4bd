//===- WritePieces.cpp - A function as each core runs it ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WritePieces.h"

#include "Collectives.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Tensor/Utils/Utils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::trn;

static bool isTensor(Value value) {
  return isa<RankedTensorType>(value.getType());
}

namespace {

class PieceWriter {
public:
  PieceWriter(func::FuncOp func, const Propagation &propagation)
      : func(func), propagation(propagation), grid(propagation.getGrid()),
        builder(func.getContext()) {}

  void write();

private:
  void writeArguments(Block &block);
  void writeOp(Operation *op);
  void writeReturn(Operation *op);
  /// The operand `number` of `op`, which is a tensor.
  Value getOperand(Operation *op, unsigned number);
  /// What a core has of `value`, as an op needs it.
  Value get(Value value, const Layout &need);
  Value makePiece(Operation *op, const Layout &need);
  RankedTensorType pieceType(Value value, const Layout &layout) const {
    return getPieceType(value.getType(), layout, grid);
  }
  Attribute getShard(Value value, const Layout &layout);
  ArrayAttr markResults(ArrayRef<Attribute> shards);

  func::FuncOp func;
  const Propagation &propagation;
  const CoreGrid &grid;
  OpBuilder builder;
  /// What was written for each value, and in which layout.
  DenseMap<Value, SmallVector<std::pair<Layout, Value>, 1>> written;
};

} // namespace

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// A piece of what any core can make.
Value PieceWriter::makePiece(Operation *op, const Layout &need) {
  RankedTensorType type = pieceType(op->getResult(0), need);
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto splat = cast<SplatElementsAttr>(constant.getValue());
    return arith::ConstantOp::create(builder, op->getLoc(),
                                     splat.resizeSplat(type));
  }
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, get(operand, need));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(type);
  return clone->getResult(0);
}

Value PieceWriter::get(Value value, const Layout &need) {
  auto &known = written[value];
  if (!isTensor(value))
    return known.front().second;
  for (const auto &[layout, piece] : known)
    if (layout.isEqual(need))
      return piece;
  const Layout &have = propagation.getLayout(value);
  Value made;
  if (have.isFlexible)
    made = makePiece(value.getDefiningOp(), need);
  else
    made = exchangePieces(builder, value.getLoc(), get(value, have),
                          cast<RankedTensorType>(value.getType()), have, need,
                          grid);
  written[value].push_back({need, made});
  return made;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

/// Corrects the sizes that `copy`, of an op on whole tensors, states itself.
static void resize(Operation *copy) {
  auto cut = [](ArrayRef<int64_t> sizes, const llvm::SmallBitVector &dropped,
                RankedTensorType piece) {
    SmallVector<int64_t> all(sizes);
    unsigned next = 0;
    for (auto [dim, size] : llvm::enumerate(all))
      if (!dropped.test(dim))
        size = piece.getDimSize(next++);
    return all;
  };
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(copy))
    expand.setStaticOutputShape(expand.getResultType().getShape());
  else if (auto slice = dyn_cast<tensor::ExtractSliceOp>(copy))
    slice.setStaticSizes(
        cut(slice.getStaticSizes(), slice.getDroppedDims(), slice.getType()));
  else if (auto slice = dyn_cast<tensor::InsertSliceOp>(copy))
    slice.setStaticSizes(cut(slice.getStaticSizes(), slice.getDroppedDims(),
                             slice.getSourceType()));
}

Value PieceWriter::getOperand(Operation *op, unsigned number) {
  Value value = op->getOperand(number);
  const Layout &need = propagation.getNeeds(op)[number];
  const Layout &have = propagation.getLayout(value);
  if (have.isFlexible || have.isEqual(need) || !propagation.isFree(op, number))
    return get(value, need);
  Value piece = get(value, have);
  return tensor::EmptyOp::create(
      builder, op->getLoc(), pieceType(value, need),
      tensor::createDynamicDimValues(builder, op->getLoc(), piece));
}

void PieceWriter::writeOp(Operation *op) {
  bool hasTensors = llvm::any_of(op->getOperands(), isTensor) ||
                    llvm::any_of(op->getResults(), isTensor);
  // Those that read it make their pieces.
  if (hasTensors && op->getNumResults() == 1 && isTensor(op->getResult(0)) &&
      propagation.getLayout(op->getResult(0)).isFlexible)
    return;
  IRMapping mapping;
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  for (Value value : captured)
    mapping.map(value,
                get(value, isTensor(value) ? Layout::whole(value.getType())
                                           : Layout()));
  SmallVector<Value> operands;
  for (auto [number, value] : llvm::enumerate(op->getOperands()))
    operands.push_back(isTensor(value) ? getOperand(op, number)
                                       : get(value, Layout()));
  Operation *clone = builder.clone(*op, mapping);
  clone->setOperands(operands); // one may be read in two ways
  for (auto [result, copy] :
       llvm::zip_equal(op->getResults(), clone->getResults())) {
    Layout layout;
    if (isTensor(result)) {
      layout = propagation.getLayout(result);
      copy.setType(pieceType(result, layout));
    }
    written[result].push_back({layout, copy});
  }
  resize(clone);
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Attribute PieceWriter::getShard(Value value, const Layout &layout) {
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, axes] : llvm::enumerate(layout.dims))
    if (axes)
      return ShardAttr::get(func.getContext(), dim, grid.pieces(axes),
                            type.getDimSize(dim));
  return nullptr;
}

void PieceWriter::writeArguments(Block &block) {
  StringRef key = TrnDialect::ShardAttrHelper::getNameStr();
  for (BlockArgument argument : func.getArguments()) {
    Layout layout;
    Type type = argument.getType();
    Attribute shard;
    if (isTensor(argument)) {
      layout = propagation.getLayout(argument);
      type = pieceType(argument, layout);
      shard = getShard(argument, layout);
    }
    written[argument].push_back(
        {layout, block.addArgument(type, argument.getLoc())});
    func.removeArgAttr(argument.getArgNumber(), key);
    if (shard)
      func.setArgAttr(argument.getArgNumber(), key, shard);
  }
}

void PieceWriter::writeReturn(Operation *op) {
  StringRef key = TrnDialect::ShardAttrHelper::getNameStr();
  SmallVector<Value> results;
  for (auto [number, value] : llvm::enumerate(op->getOperands())) {
    const Layout &need = propagation.getNeeds(op)[number];
    results.push_back(get(value, need));
    func.removeResultAttr(number, builder.getStringAttr(key));
    if (Attribute shard = isTensor(value) ? getShard(value, need) : Attribute())
      func.setResultAttr(number, key, shard);
  }
  func::ReturnOp::create(builder, op->getLoc(), results);
  func.setFunctionType(builder.getFunctionType(
      builder.getBlock()->getArgumentTypes(), ValueRange(results).getTypes()));
}

void PieceWriter::write() {
  Block &old = func.front();
  Block *block = new Block();
  writeArguments(*block);
  builder.setInsertionPointToEnd(block);
  for (Operation &op : old.without_terminator())
    writeOp(&op);
  writeReturn(old.getTerminator());
  old.erase();
  func.getBody().push_back(block);
}

void mlir::trn::writePieces(func::FuncOp func, const Propagation &propagation) {
  PieceWriter(func, propagation).write();
}
