//===- CreateKernel.cpp - Write a kernel on tensors -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CreateKernel.h"
#include "MatchBand.h"

#include "trn/Analysis/Roundings.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Lower/DeclareKernel.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/Scores.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
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

void mlir::trn::emitProduct(OpBuilder &builder, Product &product) {
  Location loc = product.contraction->getLoc();
  Location resultLoc = product.result.tensor.getLoc();
  StoredMatrix sums = product.result;
  sums.isTransposed = false;
  auto type = RankedTensorType::get(
      sums.arrange<int64_t>(product.batches, product.m, product.n),
      builder.getF32Type());
  Value zeros = emitZeros(builder, loc, type);
  Value operands[] = {product.lhs.tensor, product.rhs.tensor};
  ArrayAttr maps = mapsOf(builder, product, sums);
  if (product.batches.empty())
    product.contraction =
        linalg::MatmulOp::create(builder, loc, type, operands, zeros,
                                 builder.getNamedAttr("indexing_maps", maps));
  else
    product.contraction =
        linalg::ContractOp::create(builder, loc, type, operands, zeros, maps);
  Value &result = product.result.tensor;
  result = emitRounding(builder, resultLoc, product.contraction->getResult(0),
                        getFloatType(builder.getContext(), product.resultType));
  if (product.result.isTransposed)
    result = emitTranspose(builder, loc, result, swapMatrixDims(sums.dims));
}

bool mlir::trn::isBodyProduct(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.getNumReductionLoops() > 0 &&
         isProductLike(linalgOp);
}

namespace {
/// Copies code into the body of a kernel.
class BodyWriter {
public:
  /// Reads `inputs` from the first ones of `arguments`.
  BodyWriter(OpBuilder &builder, ArrayRef<RegionInput> inputs,
             Block::BlockArgListType arguments);

  void write(const RegionOp &member) {
    if (member.product)
      writeProduct(*member.product);
    else
      writeOp(cast<linalg::LinalgOp>(member.op));
  }
  /// What the kernel has for a value that is computed in it.
  Value lookup(Value value) const { return values.lookupOrNull(value); }

private:
  void writeProduct(Product product);
  void writeOp(linalg::LinalgOp op);
  /// The same for one that it may read, and whether the host has turned it.
  std::pair<Value, bool> read(const RegionInput &input) const;

  OpBuilder &builder;
  ArrayRef<RegionInput> inputs;
  SmallVector<Value> tensors; // of the inputs
  IRMapping values;
};
} // namespace

/// An input in HBM.
static Type typeOf(const RegionInput &input) {
  tensor::ExtractSliceOp slice = input.slice();
  auto type = cast<RankedTensorType>(slice ? slice.getSourceType()
                                           : input.value.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (input.isTurned())
    applyPermutationToVector(shape, input.permutation);
  return MemRefType::get(shape, type.getElementType());
}

BodyWriter::BodyWriter(OpBuilder &builder, ArrayRef<RegionInput> inputs,
                       Block::BlockArgListType arguments)
    : builder(builder), inputs(inputs) {
  for (auto [input, argument] : llvm::zip(inputs, arguments)) {
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

std::pair<Value, bool> BodyWriter::read(const RegionInput &input) const {
  if (Value own = values.lookupOrNull(input.value))
    return {own, false};
  const RegionInput *found = llvm::find(inputs, input);
  // Parts of kernels have an input for each tensor, whatever reads it.
  if (found == inputs.end())
    found = llvm::find_if(inputs, [&](const RegionInput &other) {
      return other.value == input.value;
    });
  return {tensors[found - inputs.begin()], found->isTurned()};
}

void BodyWriter::writeProduct(Product product) {
  using Use = RegionInput::Use;
  Value found = product.result.tensor;
  Value &lhs = product.lhs.tensor, &rhs = product.rhs.tensor;
  Location loc = lhs.getLoc();
  lhs = read({lhs, Use::Rows}).first;
  // An intermediate has the type of the weight that it meets.
  lhs = emitRounding(builder, loc, lhs,
                     getFloatType(builder.getContext(), product.operandType));
  bool isTurned;
  std::tie(rhs, isTurned) = read({rhs, Use::Weight, product.contraction});
  product.rhs.isTransposed &= !isTurned;
  emitProduct(builder, product);
  values.map(found, product.result.tensor);
}

/// Clones `op` with what it reads of `own`, and with constants of its own.
void BodyWriter::writeOp(linalg::LinalgOp op) {
  Location loc = op.getLoc();
  IRMapping own;
  SmallVector<Value> operands;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (SplatElementsAttr uniform = findUniform(operand->get()))
      operands.push_back(
          arith::ConstantOp::create(builder, operand->get().getLoc(), uniform));
    else
      operands.push_back(read(readElements(operand)).first);
  llvm::SetVector<Value> constants;
  getUsedValuesDefinedAbove(op->getRegions(), constants);
  for (Value constant : constants)
    builder.clone(*constant.getDefiningOp(), own);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  // The source may overwrite one of its inputs.
  Value init;
  if (op.getNumReductionLoops()) {
    SplatElementsAttr start = findUniform(op.getDpsInits()[0]);
    Value number = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(start.getSplatValue<Attribute>()));
    init = emitFill(builder, loc, number, type);
  } else {
    init = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                   type.getElementType());
  }
  Operation *copy = builder.clone(*op, own);
  operands.push_back(init);
  copy->setOperands(operands); // one may be read in two ways
  values.map(op->getResult(0), copy->getResult(0));
}

/// States the FLOPs of the products of `kernel`, or the largest number there is
/// if they are more.
static void setFlops(func::FuncOp kernel) {
  uint64_t sum = 0;
  for (auto op : kernel.getOps<linalg::LinalgOp>()) {
    uint64_t flops = isBodyProduct(op) ? 2 : 0;
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

/// Whether something that `value` follows from is far below all scores, as what
/// masks hide is. Weights are not.
static bool followsFromFar(Value value) {
  auto isFar = [](Operation *op) {
    Attribute number;
    if (!matchPattern(op, m_Constant(&number)))
      return false;
    if (auto one = dyn_cast<FloatAttr>(number))
      return isFarBelowScores(one.getValue());
    auto several = dyn_cast<DenseFPElementsAttr>(number);
    return several &&
           llvm::any_of(several.getValues<APFloat>(), isFarBelowScores);
  };
  llvm::SetVector<Value> values;
  values.insert(value);
  for (size_t next = 0; next < values.size(); ++next) { // `values` grows
    Operation *op = values[next].getDefiningOp();
    if (!op)
      continue;
    WalkResult found = op->walk([&](Operation *inner) {
      return isFar(inner) ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (found.wasInterrupted())
      return true;
    values.insert(op->operand_begin(), op->operand_end());
    getUsedValuesDefinedAbove(op->getRegions(), values);
  }
  return false;
}

/// Whether an input beside `mask` may hide some of its columns: it follows from
/// arguments that are no weights, or is another mask.
static bool mayHideMore(ArrayRef<RegionInput> inputs, Value mask) {
  auto columnsOf = [](Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getShape().back();
  };
  LoadedValues loaded;
  return llvm::any_of(inputs, [&](const RegionInput &other) {
    bool isOfElements = other.use == RegionInput::Use::Elementwise ||
                        other.use == RegionInput::Use::Across;
    return isOfElements && other.value != mask &&
           columnsOf(other.value) == columnsOf(mask) &&
           (!loaded.contains(other.value) || followsFromFar(other.value));
  });
}

/// Says what is known of an input that is a mask. A row that masks hide
/// altogether has equal shares of what they hide by the same number.
static void setBand(func::FuncOp kernel, unsigned argument,
                    ArrayRef<RegionInput> inputs) {
  const RegionInput &input = inputs[argument];
  if (input.slice() || input.isTurned())
    return;
  std::optional<MatchedBand> matched = matchBand(input.value);
  if (matched && (matched->isInfinite || !mayHideMore(inputs, input.value)))
    kernel.setArgAttr(argument, TrnDialect::BandAttrHelper::getNameStr(),
                      BandAttr::get(kernel.getContext(), matched->band));
}

func::FuncOp mlir::trn::createKernel(OpBuilder &builder, StringRef name,
                                     ArrayRef<RegionOp> ops,
                                     ArrayRef<RegionInput> inputs,
                                     ArrayRef<Value> results) {
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  Location loc = ops.back().op->getLoc();
  for (const RegionOp &member : ops)
    if (member.product || isBodyProduct(member.op))
      loc =
          (member.product ? member.product->contraction : member.op)->getLoc();
  SmallVector<Type> types(llvm::map_range(inputs, typeOf));
  for (Value result : results)
    types.push_back(typeOf({result}));
  func::FuncOp kernel =
      declareKernel(builder, loc, name, types, results.size());
  for (unsigned number = 0; number < inputs.size(); ++number)
    setBand(kernel, number, inputs);
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  BodyWriter writer(builder, inputs, kernel.getArguments());
  for (const RegionOp &member : ops)
    writer.write(member);
  for (auto [result, argument] :
       llvm::zip(results, kernel.getArguments().take_back(results.size()))) {
    argument.setLoc(result.getLoc());
    Value stored = writer.lookup(result);
    if (!stored) {
      MovedHeads heads = *matchHeads(result.getDefiningOp());
      stored = emitHeads(builder, result.getLoc(), writer.lookup(heads.rows()),
                         heads.numColumns());
    }
    bufferization::MaterializeInDestinationOp::create(
        builder, result.getLoc(), Type(), stored, argument,
        /*restrict=*/true, /*writable=*/true);
  }
  func::ReturnOp::create(builder, loc);
  setFlops(kernel);
  return kernel;
}

/// What is in the way of one result, which `source` and `kernel` compute.
static std::optional<Obstacle> findObstacle(const Computation &source,
                                            const Computation &kernel,
                                            Operation *op, bool allowRounding) {
  auto difference = compareRoundings(source, kernel);
  if (!difference)
    return std::nullopt;
  if (difference->kind == RoundingDifference::TooMany)
    return Obstacle{op,
                    "it rounds in more different ways than can be "
                    "compared with those of a kernel",
                    std::nullopt};
  if (!difference->rounding)
    return Obstacle{op, "a kernel would compute it from other values",
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
  return Obstacle{op, reason, rounding.loc};
}

std::optional<Obstacle>
mlir::trn::findRoundingObstacle(func::FuncOp kernel, const KernelRegion &region,
                                bool allowRounding) {
  SmallVector<Value> inputs;
  for (const RegionInput &input : region.inputs())
    inputs.push_back(input.value);
  SmallVector<Value> own(kernel.getArguments().take_front(inputs.size()));
  auto stores = kernel.getOps<bufferization::MaterializeInDestinationOp>();
  for (auto [result, store] : llvm::zip(region.results(), stores)) {
    std::optional<MovedHeads> heads =
        matchHeads(store.getSource().getDefiningOp());
    Value stored = heads ? heads->rows() : store.getSource();
    if (auto obstacle =
            findObstacle({region.sourceOf(result), inputs}, {stored, own},
                         region.opOf(result), allowRounding))
      return obstacle;
  }
  return std::nullopt;
}
