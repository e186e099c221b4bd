//===- CreateKernel.cpp - Write a kernel on tensors -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CreateKernel.h"

#include "trn/Analysis/Roundings.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/EmitKernel.h"
#include "trn/Transforms/EmitLinalg.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// The maps of lhs, rhs and `sums`.
static ArrayAttr mapsOf(OpBuilder &builder, const Product &product,
                        const StoredMatrix &sums) {
  SmallVector<AffineExpr> loops;
  for (size_t loop = 0; loop < product.batches.size() + 3; ++loop)
    loops.push_back(builder.getAffineDimExpr(loop));
  auto batches = ArrayRef(loops).drop_back(3);
  auto map = [&](const StoredMatrix &matrix, AffineExpr row,
                 AffineExpr column) {
    return AffineMap::get(loops.size(), 0, matrix.arrange(batches, row, column),
                          builder.getContext());
  };
  AffineExpr m = loops.end()[-3], n = loops.end()[-2], k = loops.end()[-1];
  return builder.getAffineMapArrayAttr(
      {map(product.lhs, m, k), map(product.rhs, k, n), map(sums, m, n)});
}

Value mlir::trn::emitProduct(OpBuilder &builder, const Product &product) {
  Location loc = product.contraction->getLoc();
  StoredMatrix sums = product.result;
  sums.isTransposed = false;
  auto type = RankedTensorType::get(
      sums.arrange<int64_t>(product.batches, product.m, product.n),
      builder.getF32Type());
  Value zeros = emitZeros(builder, loc, type);
  Value operands[] = {product.lhs.tensor, product.rhs.tensor};
  ArrayAttr maps = mapsOf(builder, product, sums);
  linalg::LinalgOp sum;
  if (product.batches.empty())
    sum = linalg::MatmulOp::create(builder, loc, type, operands, zeros,
                                   builder.getNamedAttr("indexing_maps", maps));
  else
    sum = linalg::ContractOp::create(builder, loc, type, operands, zeros, maps);
  Value result =
      emitRounding(builder, product.result.tensor.getLoc(), sum->getResult(0),
                   getFloatType(builder.getContext(), product.resultType));
  if (!product.result.isTransposed)
    return result;
  return emitTranspose(builder, loc, result, swapMatrixDims(sums.dims));
}

/// An input in HBM. X is as its product has it.
static Type typeOfInput(const KernelRegion &region, const RegionInput &input) {
  if (tensor::ExtractSliceOp slice = input.slice()) {
    RankedTensorType type = slice.getSourceType();
    return MemRefType::get(type.getShape(), type.getElementType());
  }
  for (const RegionNode &node : region.nodes) {
    if (node.elementwise || node.chain.first().lhs.tensor != input.value ||
        input.use != RegionInput::Use::Rows)
      continue;
    const Product &first = node.chain.first();
    return MemRefType::get(
        first.lhs.arrange<int64_t>(first.batches, first.m, first.k),
        getFloatType(input.value.getContext(), first.operandType));
  }
  auto type = cast<RankedTensorType>(input.value.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (input.isTurned())
    applyPermutationToVector(shape, input.permutation);
  return MemRefType::get(shape, type.getElementType());
}

/// A result in HBM, as its product has it.
static Type typeOfResult(const KernelRegion &region, Value result) {
  for (const RegionNode &node : region.nodes) {
    if (node.elementwise || node.result() != result)
      continue;
    const Product &last = node.chain.last();
    return MemRefType::get(
        last.result.arrange<int64_t>(last.batches, last.m, last.n),
        getFloatType(result.getContext(), last.resultType));
  }
  auto type = cast<RankedTensorType>(result.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

namespace {
/// Copies code into the body of a kernel.
class BodyWriter {
public:
  BodyWriter(OpBuilder &builder, const KernelRegion &region,
             func::FuncOp kernel);

  void write(const RegionNode &node) {
    if (node.elementwise)
      writeElementwise(node.elementwise);
    else
      writeChain(node.chain);
  }
  /// What the kernel has for a value that is computed in it.
  Value lookup(Value value) const { return values.lookup(value); }

private:
  void writeChain(const Chain &chain);
  void writeElementwise(Operation *op);
  /// The same for one that it may read.
  Value read(const RegionInput &input) const;

  OpBuilder &builder;
  SmallVector<RegionInput> inputs;
  SmallVector<Value> tensors; // of the inputs
  IRMapping values;
};
} // namespace

BodyWriter::BodyWriter(OpBuilder &builder, const KernelRegion &region,
                       func::FuncOp kernel)
    : builder(builder), inputs(region.inputs()) {
  for (auto [input, argument] : llvm::zip(inputs, kernel.getArguments())) {
    argument.setLoc(input.value.getLoc());
    Value tensor = bufferization::ToTensorOp::create(
        builder, argument.getLoc(),
        memref::getTensorTypeFromMemRefType(argument.getType()), argument,
        /*restrict=*/true);
    if (tensor::ExtractSliceOp slice = input.slice()) {
      IRMapping own;
      own.map(slice.getSource(), tensor);
      tensor = builder.clone(*slice, own)->getResult(0);
    }
    tensors.push_back(tensor);
  }
}

Value BodyWriter::read(const RegionInput &input) const {
  if (Value own = values.lookupOrNull(input.value))
    return own;
  return tensors[llvm::find(inputs, input) - inputs.begin()];
}

/// An intermediate has the type of the weight that it meets.
void BodyWriter::writeChain(const Chain &chain) {
  using Use = RegionInput::Use;
  Value intermediate;
  for (auto [i, found] : llvm::enumerate(chain.products)) {
    bool isLast = i + 1 == chain.products.size();
    bool isOwn = values.contains(found.rhs.tensor);
    Product product = found;
    product.lhs.tensor =
        intermediate ? intermediate : read({found.lhs.tensor, Use::Rows});
    product.lhs.isTransposed = !intermediate && found.lhs.isTransposed;
    product.rhs.tensor =
        read({found.rhs.tensor, Use::Weight, found.contraction});
    product.rhs.isTransposed &= isOwn || !found.isTurnedByHost;
    product.result.isTransposed = isLast && found.result.isTransposed;
    product.resultType = isLast ? found.resultType : found.operandType;
    intermediate = emitProduct(builder, product);
  }
  values.map(chain.last().result.tensor, intermediate);
}

void BodyWriter::writeElementwise(Operation *op) {
  auto linalgOp = cast<linalg::LinalgOp>(op);
  Location loc = op->getLoc();
  IRMapping own;
  for (Value operand : linalgOp.getDpsInputs())
    if (isSplat(operand))
      builder.clone(*operand.getDefiningOp(), own);
    else
      own.map(operand, read({operand, RegionInput::Use::Elementwise}));
  llvm::SetVector<Value> constants;
  getUsedValuesDefinedAbove(op->getRegions(), constants);
  for (Value constant : constants)
    builder.clone(*constant.getDefiningOp(), own);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto copy = cast<linalg::LinalgOp>(builder.clone(*op, own));
  // The source may overwrite one of its inputs.
  copy.getDpsInitsMutable()[0].set(empty);
  values.map(op->getResult(0), copy->getResult(0));
}

func::FuncOp mlir::trn::createKernel(OpBuilder &builder, SymbolTable &symbols,
                                     StringRef name,
                                     const KernelRegion &region) {
  Location loc = region.lastProduct().contraction->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  SmallVector<Type> types;
  SmallVector<Value> results = region.results();
  for (const RegionInput &input : region.inputs())
    types.push_back(typeOfInput(region, input));
  for (Value result : results)
    types.push_back(typeOfResult(region, result));
  func::FuncOp kernel =
      declareKernel(builder, loc, name, types, results.size());
  symbols.insert(kernel);

  builder.setInsertionPointToStart(kernel.addEntryBlock());
  BodyWriter writer(builder, region, kernel);
  for (const RegionNode &node : region.nodes)
    writer.write(node);
  for (auto [result, argument] :
       llvm::zip(results, kernel.getArguments().take_back(results.size()))) {
    argument.setLoc(result.getLoc());
    bufferization::MaterializeInDestinationOp::create(
        builder, result.getLoc(), Type(), writer.lookup(result), argument,
        /*restrict=*/true, /*writable=*/true);
  }
  func::ReturnOp::create(builder, loc);
  setFlops(kernel);
  return kernel;
}

void mlir::trn::setFlops(func::FuncOp kernel) {
  uint64_t sum = 0;
  for (auto op : kernel.getOps<linalg::LinalgOp>()) {
    uint64_t flops = op.getNumReductionLoops() ? 2 : 0;
    for (int64_t range : op.getStaticLoopRanges())
      flops = llvm::SaturatingMultiply<uint64_t>(flops, range);
    sum = llvm::SaturatingAdd(sum, flops);
  }
  sum = std::min<uint64_t>(sum, std::numeric_limits<int64_t>::max());
  kernel->getContext()
      ->getLoadedDialect<TrnDialect>()
      ->getFlopsAttrHelper()
      .setAttr(kernel, Builder(kernel).getI64IntegerAttr(sum));
}

/// What is in the way of one result, which `source` and `kernel` compute.
static std::optional<RoundingObstacle> findObstacle(const Computation &source,
                                                    const Computation &kernel,
                                                    Operation *op,
                                                    bool allowRounding) {
  auto difference = compareRoundings(source, kernel);
  if (!difference)
    return std::nullopt;
  if (difference->kind == RoundingDifference::TooMany)
    return RoundingObstacle{op,
                            "it rounds in more different ways than can be "
                            "compared with those of a kernel",
                            std::nullopt};
  if (!difference->rounding)
    return RoundingObstacle{op, "a kernel would compute it from other values",
                            std::nullopt};
  const Rounding &rounding = *difference->rounding;
  bool added = difference->kind == RoundingDifference::Added;
  if (added && allowRounding) {
    emitRemark(rounding.loc, "kernel rounds to ")
        << rounding.what << ", where the source does not (allow-rounding)";
    return std::nullopt;
  }
  std::string reason = added ? "a kernel would round to " : "it rounds to ";
  reason += rounding.what;
  reason +=
      added ? ", where the source does not" : ", where a kernel would not";
  return RoundingObstacle{op, reason, rounding.loc};
}

std::optional<RoundingObstacle>
mlir::trn::findRoundingObstacle(func::FuncOp kernel, const KernelRegion &region,
                                bool allowRounding) {
  SmallVector<Value> inputs;
  for (const RegionInput &input : region.inputs())
    inputs.push_back(input.value);
  SmallVector<Value> own(kernel.getArguments().take_front(inputs.size()));
  auto stores = kernel.getOps<bufferization::MaterializeInDestinationOp>();
  for (auto [result, store] : llvm::zip(region.results(), stores))
    if (auto obstacle = findObstacle({result, inputs}, {store.getSource(), own},
                                     region.opOf(result), allowRounding))
      return obstacle;
  return std::nullopt;
}
