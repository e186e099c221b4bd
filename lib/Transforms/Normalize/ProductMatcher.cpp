//===- ProductMatcher.cpp - Recognise products ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ProductLoops.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

static std::optional<ElementType> elementTypeOf(Value value) {
  return getFloatElementType(
      cast<ShapedType>(value.getType()).getElementType());
}

SmallVector<int64_t> mlir::trn::swapMatrixDims(const BatchDims &dims) {
  SmallVector<int64_t> permutation, ofMatrix;
  for (auto [i, batch] : llvm::enumerate(dims)) {
    permutation.push_back(i);
    if (!batch)
      ofMatrix.push_back(i);
  }
  std::swap(permutation[ofMatrix[0]], permutation[ofMatrix[1]]);
  return permutation;
}

bool mlir::trn::haveSameBatches(const BatchDims &a, const BatchDims &b) {
  return llvm::equal(a, b, [](auto one, auto other) {
    return one.has_value() == other.has_value();
  });
}

InFlightDiagnostic mlir::trn::remarkLeftAlone(Operation *contraction,
                                              const Twine &reason) {
  // Not by the op: each of its remarks would print it, and number all values of
  // the function for that.
  return mlir::emitRemark(contraction->getLoc(), "product left on the host: ")
         << reason;
}

/// Lets `matrix` be in `tensor`, which has its dimensions in another order,
/// unless a batch is the last one there.
static void moveTo(StoredMatrix &matrix, Value tensor,
                   ArrayRef<int64_t> permutation) {
  if (matrix.dims[permutation.back()])
    return;
  auto isOfMatrix = [&](int64_t dim) { return !matrix.dims[dim]; };
  matrix.isTransposed ^= !llvm::is_sorted(
      llvm::to_vector(llvm::make_filter_range(permutation, isOfMatrix)));
  matrix.tensor = tensor;
  applyPermutationToVector(matrix.dims, permutation);
}

Value mlir::trn::skipRounding(Value value) {
  auto truncate = value.getDefiningOp<arith::TruncFOp>();
  if (!truncate)
    return value;
  auto nearest = arith::RoundingMode::to_nearest_even;
  return truncate.getRoundingmode().value_or(nearest) == nearest
             ? truncate.getIn()
             : value;
}

bool mlir::trn::isRounding(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || !op.isSingleInputOutput() ||
      !linalg::isElementwise(op) ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  return yielded != op.getBlock()->getArgument(0) &&
         skipRounding(yielded) == op.getBlock()->getArgument(0);
}

/// Follows `value` back through conversions that keep every value.
static Value skipWidening(Value value, SmallPtrSetImpl<Operation *> &passed) {
  while (auto extend = value.getDefiningOp<arith::ExtFOp>()) {
    passed.insert(extend);
    value = extend.getIn();
  }
  return value;
}

Operation *mlir::trn::findBodyObstacle(Block &body) {
  Operation *yield = body.getTerminator();
  SmallPtrSet<Operation *, 8> passed{yield};
  // The op that computes what is not as it should be, or else its reader.
  auto blame = [&](Value value, Operation *reader) {
    Operation *op = value.getDefiningOp();
    return op && op->getBlock() == &body ? op : reader;
  };
  auto sum = yield->getOperand(0).getDefiningOp<arith::AddFOp>();
  if (!sum || sum->getBlock() != &body)
    return blame(yield->getOperand(0), yield);
  passed.insert(sum);
  Value old = body.getArgument(2);
  if (sum.getLhs() != old && sum.getRhs() != old)
    return blame(sum.getLhs().getDefiningOp<arith::MulFOp>() ? sum.getRhs()
                                                             : sum.getLhs(),
                 sum);
  Value term = sum.getLhs() == old ? sum.getRhs() : sum.getLhs();
  auto product = term.getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != &body)
    return blame(term, sum);
  passed.insert(product);
  Value lhs = skipWidening(product.getLhs(), passed);
  Value rhs = skipWidening(product.getRhs(), passed);
  for (Value factor : {lhs, rhs})
    if (factor != body.getArgument(0) && factor != body.getArgument(1))
      return blame(factor, product);
  if (lhs == rhs)
    return product;
  auto other =
      llvm::find_if(body, [&](Operation &op) { return !passed.contains(&op); });
  return other == body.end() ? nullptr : &*other;
}

bool mlir::trn::isZeroFilled(Value tensor) {
  if (matchPattern(tensor, m_AnyZeroFloat())) // a scalar or a splat
    return true;
  Operation *op = tensor.getDefiningOp();
  if (isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                      tensor::ExpandShapeOp, tensor::ExtractSliceOp,
                      tensor::SplatOp>(op))
    return isZeroFilled(op->getOperand(0));
  // A fill, a broadcast, or a generic that does the same.
  auto linalgOp = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.isAllParallelLoops())
    return false;
  OpOperand *init = linalgOp.getTiedOpOperand(cast<OpResult>(tensor));
  Value yielded = linalgOp.getMatchingYieldValue(init)->get();
  auto argument = dyn_cast<BlockArgument>(yielded);
  if (!argument || argument.getOwner() != linalgOp.getBlock())
    return matchPattern(yielded, m_AnyZeroFloat());
  OpOperand *operand = linalgOp.getMatchingOpOperand(argument);
  return linalgOp.isDpsInput(operand) && isZeroFilled(operand->get());
}

std::optional<SmallVector<Value>> mlir::trn::findLoaded(Value value) {
  SmallVector<Value> loaded;
  llvm::SetVector<Value> read;
  read.insert(value);
  // It grows while it is visited.
  for (size_t i = 0; i < read.size(); ++i) {
    Value each = read[i];
    Operation *op = each.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(each)) {
      if (!isWeightArgument(argument))
        return std::nullopt;
    } else if (!followsFromOperands(op)) {
      return std::nullopt;
    } else if (!op->hasTrait<OpTrait::ConstantLike>()) {
      read.insert_range(op->getOperands());
      getUsedValuesDefinedAbove(op->getRegions(), read);
      continue;
    }
    loaded.push_back(each);
  }
  return loaded;
}

/// Position of iteration dimension `dim` among the results of `map`.
static unsigned positionOf(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

bool mlir::trn::isPacked(linalg::LinalgOp op) {
  return isa<linalg::Mmt4DOp, linalg::BatchMmt4DOp>(op);
}

/// Whether `op` is a sum of products that says the index of a dimension of one
/// as a constant, which upstream takes for no contraction.
static bool isProductWithConstants(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return false;
  auto kinds = classifyLoops(op);
  return kinds && llvm::is_contained(*kinds, LoopKind::Summed) &&
         linalg::detail::isContractionBody(
             *op.getBlock(), [](Operation *first, Operation *second) {
               return isa<arith::MulFOp>(first) && isa<arith::AddFOp>(second);
             });
}

bool mlir::trn::isProductLike(linalg::LinalgOp op) {
  if (linalg::isaContractionOpInterface(op) || isPacked(op) ||
      isa<linalg::QuantizedMatmulOp, linalg::QuantizedBatchMatmulOp>(op) ||
      isProductWithConstants(op))
    return true;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  return succeeded(dims) && !dims->m.empty() && !dims->n.empty() &&
         !dims->k.empty() && op.hasOnlyProjectedPermutations();
}

bool mlir::trn::sumsProducts(linalg::LinalgOp op) {
  return isProductLike(op) && op.getNumDpsInputs() == 2 &&
         isZeroFilled(op.getDpsInits()[0]) && !findBodyObstacle(*op.getBlock());
}

/// Follows the single uses of the contraction's result through a truncation
/// and a transposition.
static void absorbConsumers(Product &product) {
  Value &result = product.result.tensor;
  auto findReader = [&] {
    return result.hasOneUse() ? dyn_cast<linalg::LinalgOp>(*result.user_begin())
                              : linalg::LinalgOp();
  };
  linalg::LinalgOp reader = findReader();
  if (reader && isRounding(reader) && reader.getDpsInputs()[0] == result) {
    result = reader->getResult(0);
    reader = findReader();
  }
  auto transpose =
      dyn_cast_if_present<linalg::TransposeOp>(reader.getOperation());
  if (transpose && transpose.getInput() == result)
    moveTo(product.result, transpose->getResult(0), transpose.getPermutation());
}

static int64_t numMatrixDims(AffineMap map, ArrayRef<LoopKind> kinds) {
  return llvm::count_if(map.getResults(), [&](AffineExpr expr) {
    return kinds[cast<AffineDimExpr>(expr).getPosition()] != LoopKind::Batch;
  });
}

/// `op`, whose operands are matrices, or batches of them.
static Product readLayout(linalg::LinalgOp op, ArrayRef<LoopKind> kinds) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto loopOf = [&](LoopKind kind) -> unsigned {
    return llvm::find(kinds, kind) - kinds.begin();
  };
  unsigned m = loopOf(LoopKind::Row), n = loopOf(LoopKind::Column),
           k = loopOf(LoopKind::Summed);
  auto read = [&](Value tensor, AffineMap map, unsigned row, unsigned column) {
    StoredMatrix matrix{tensor, positionOf(map, column) < positionOf(map, row)};
    for (unsigned dim = 0; dim < map.getNumResults(); ++dim) {
      unsigned loop = map.getDimPosition(dim);
      bool isBatch = kinds[loop] == LoopKind::Batch;
      matrix.dims.push_back(isBatch ? std::optional(loop) : std::nullopt);
    }
    return matrix;
  };
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  Product product;
  product.contraction = op;
  product.lhs = read(op.getDpsInputs()[0], maps[0], m, k);
  product.rhs = read(op.getDpsInputs()[1], maps[1], k, n);
  product.result = read(op->getResult(0), maps[2], m, n);
  product.m = sizes[m];
  product.n = sizes[n];
  product.k = sizes[k];
  llvm::append_range(product.batches, ArrayRef(sizes).drop_back(3));
  return product;
}

FailureOr<Product> mlir::trn::matchProduct(linalg::LinalgOp op,
                                           bool allowRounding) {
  auto refuse = [&](const Twine &reason) {
    remarkLeftAlone(op, reason);
    return failure();
  };
  if (isPacked(op))
    return refuse("its operands are packed into tiles, but kernels make tiles "
                  "of their own; compile the module before it is packed");
  if (!op.hasPureTensorSemantics())
    return refuse("it works on buffers, but kernels are made from tensors; "
                  "compile the module before it is bufferized");
  Type multiplied = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  Type summed = getElementTypeOrSelf(op->getResult(0));
  if (!getFloatElementType(multiplied) || !getFloatElementType(summed))
    return refuse(formatv("it multiplies {0} and sums in {1}, but the tensor "
                          "engine takes bf16, f16 and f32",
                          multiplied, summed));
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<RankedTensorType>(operand.getType()))
      for (int64_t i = 0; i != type.getRank(); ++i)
        if (type.isDynamicDim(i))
          return refuse(formatv("dimension {0} of {1} is dynamic, but kernels "
                                "are compiled for static shapes; give its "
                                "size with specialize, an option of "
                                "trn-compile",
                                i, type));
  if (!isZeroFilled(op.getDpsInitOperand(0)->get()))
    return refuse("it accumulates onto a tensor that is not filled with zero");
  auto kinds = classifyMatrices(op);
  if (!kinds)
    return refuse("it is not a plain product of two matrices (one row, one "
                  "column and one contraction dimension)");
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps, [&](AffineMap map) {
        return !map.isProjectedPermutation() || numMatrixDims(map, *kinds) != 2;
      }))
    return refuse("an operand is broadcast");
  for (AffineMap map : maps)
    if ((*kinds)[map.getDimPosition(map.getNumResults() - 1)] ==
        LoopKind::Batch)
      return refuse("the innermost dimension of an operand is a batch, but "
                    "kernels read and write rows of matrices");
  if (Operation *obstacle = findBodyObstacle(*op.getBlock()))
    return refuse(
        "'" + obstacle->getName().getStringRef() +
        "' in its body is in the way; a kernel computes result + lhs * rhs in "
        "the type of the result, from operands that are widened at most");

  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  Product product = readLayout(op, *kinds);
  if (llvm::is_contained(sizes, 0))
    return refuse("it is empty");
  int64_t flops = 2;
  if (llvm::any_of(sizes, [&](int64_t size) {
        return llvm::MulOverflow(flops, size, flops);
      }))
    return refuse("it needs more than 2^63 operations");

  absorbConsumers(product);
  std::optional<ElementType> lhsType = elementTypeOf(product.lhs.tensor);
  std::optional<ElementType> rhsType = elementTypeOf(product.rhs.tensor);
  std::optional<ElementType> resultType = elementTypeOf(product.result.tensor);
  if (!lhsType || !rhsType || !resultType)
    return refuse("its element types must be bf16, f16 or f32");
  // With rounding allowed, an f32 lhs stands for an intermediate that may be
  // kept in the type of the weights.
  if (*lhsType != *rhsType && !(allowRounding && *lhsType == ElementType::F32))
    return refuse(formatv("its operands are {0} and {1}, but the tensor engine "
                          "takes one type; truncate first, or use "
                          "allow-rounding for an intermediate",
                          stringify(*lhsType), stringify(*rhsType)));
  product.operandType = *rhsType;
  product.resultType = *resultType;
  return product;
}

Product mlir::trn::flipped(const Product &product) {
  Product other = product;
  std::swap(other.lhs, other.rhs);
  std::swap(other.m, other.n);
  for (StoredMatrix *matrix : {&other.lhs, &other.rhs, &other.result})
    matrix->isTransposed ^= true;
  return other;
}

void mlir::trn::absorbInputTranspose(Product &product) {
  auto transpose = product.lhs.tensor.getDefiningOp<linalg::TransposeOp>();
  // Heads that others read as well are stored as such.
  auto isOther = [](Operation *user) {
    auto op = dyn_cast<linalg::LinalgOp>(user);
    return !op || !isProductLike(op);
  };
  if (transpose && transpose.hasPureTensorSemantics() &&
      !(matchHeads(transpose) && llvm::any_of(transpose->getUsers(), isOther)))
    moveTo(product.lhs, transpose.getInput(),
           invertPermutationVector(transpose.getPermutation()));
}
