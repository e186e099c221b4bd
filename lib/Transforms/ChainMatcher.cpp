//===- ChainMatcher.cpp - Recognise chains of products --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/ChainMatcher.h"

#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

static std::optional<ElementType> elementTypeOf(Value value) {
  return getElementType(cast<ShapedType>(value.getType()).getElementType());
}

/// Returns the source of a two-dimensional `linalg.transpose`.
static Value sourceOfTranspose(Operation *op) {
  auto transpose = dyn_cast_if_present<linalg::TransposeOp>(op);
  if (!transpose || transpose.getPermutation() != ArrayRef<int64_t>{1, 0})
    return {};
  return transpose.getInput();
}

/// Whether `op` rounds its only input element by element to a narrower type.
static bool isTruncation(Operation *op) {
  auto generic = dyn_cast_if_present<linalg::LinalgOp>(op);
  if (!generic || generic.getNumDpsInputs() != 1 ||
      generic.getNumDpsInits() != 1 || !linalg::isElementwise(generic))
    return false;
  if (!llvm::all_of(generic.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Block *body = generic.getBlock();
  auto truncate =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::TruncFOp>();
  return truncate && truncate.getIn() == body->getArgument(0);
}

/// Whether every element of `tensor` is zero by a `linalg.fill`.
static bool isZeroFilled(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  return fill && matchPattern(fill.getInputs()[0], m_AnyZeroFloat());
}

/// Position of iteration dimension `dim` among the results of `map`.
static unsigned positionOf(AffineMap map, unsigned dim) {
  return *map.getResultPosition(getAffineDimExpr(dim, map.getContext()));
}

bool mlir::trn::isProductLike(linalg::LinalgOp op) {
  return linalg::isaContractionOpInterface(op);
}

/// Follows the single uses of the contraction's result through a truncation
/// and a transposition.
static void absorbConsumers(Product &product) {
  auto singleUser = [&]() -> Operation * {
    return product.result.hasOneUse() ? *product.result.user_begin() : nullptr;
  };
  if (Operation *user = singleUser(); isTruncation(user))
    product.result = user->getResult(0);
  if (Operation *user = singleUser(); user && sourceOfTranspose(user)) {
    product.result = user->getResult(0);
    product.resultTransposed = !product.resultTransposed;
  }
}

ProductMatch mlir::trn::matchProduct(linalg::LinalgOp op, bool allowRounding) {
  auto refuse = [](std::string reason) {
    return ProductMatch{std::nullopt, std::move(reason)};
  };
  if (!op.hasPureTensorSemantics())
    return refuse("it works on buffers, but kernels are made from tensors");
  if (op.hasDynamicShape())
    return refuse("its shape is dynamic, but kernels are compiled for static "
                  "shapes; specialise the function first");
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || dims->m.size() != 1 || dims->n.size() != 1 ||
      dims->k.size() != 1 || !dims->batch.empty())
    return refuse("it is not a plain product of two matrices (one row, one "
                  "column and one contraction dimension)");
  unsigned m = dims->m[0], n = dims->n[0], k = dims->k[0];
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps,
                   [](AffineMap map) { return map.getNumResults() != 2; }))
    return refuse("an operand is broadcast");

  Product product;
  product.contraction = op;
  product.lhs = op.getDpsInputOperand(0)->get();
  product.lhsTransposed = positionOf(maps[0], k) == 0;
  product.rhs = op.getDpsInputOperand(1)->get();
  product.rhsTransposed = positionOf(maps[1], k) == 1;
  product.result = op->getResult(0);
  product.resultTransposed = positionOf(maps[2], n) == 0;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  std::tie(product.m, product.n, product.k) =
      std::make_tuple(sizes[m], sizes[n], sizes[k]);
  if (product.m == 0 || product.n == 0 || product.k == 0)
    return refuse("it is empty");
  if (!isZeroFilled(op.getDpsInitOperand(0)->get()))
    return refuse("it accumulates onto a tensor that is not filled with zero");

  absorbConsumers(product);
  std::optional<ElementType> lhsType = elementTypeOf(product.lhs);
  std::optional<ElementType> rhsType = elementTypeOf(product.rhs);
  std::optional<ElementType> resultType = elementTypeOf(product.result);
  if (!lhsType || !rhsType || !resultType)
    return refuse("its element types must be bf16, f16 or f32");
  // With rounding allowed, an f32 lhs stands for an intermediate that may be
  // kept in the type of the weights.
  if (*lhsType != *rhsType && !(allowRounding && *lhsType == ElementType::F32))
    return refuse(formatv("its operands are {0} and {1}, but the tensor engine "
                          "takes one type; truncate first, or use "
                          "allow-rounding for an intermediate",
                          stringify(*lhsType), stringify(*rhsType))
                      .str());
  product.operandType = *rhsType;
  product.resultType = *resultType;
  return {product, ""};
}

Product mlir::trn::flipped(const Product &product) {
  Product other = product;
  std::swap(other.lhs, other.rhs);
  std::swap(other.m, other.n);
  other.lhsTransposed = !product.rhsTransposed;
  other.rhsTransposed = !product.lhsTransposed;
  other.resultTransposed = !product.resultTransposed;
  return other;
}

void mlir::trn::absorbInputTranspose(Product &product) {
  if (Value source = sourceOfTranspose(product.lhs.getDefiningOp())) {
    product.lhs = source;
    product.lhsTransposed = !product.lhsTransposed;
  }
}

bool mlir::trn::feeds(const Product &first, const Product &second) {
  return first.result == second.lhs && first.result.hasOneUse() &&
         first.resultTransposed == second.lhsTransposed &&
         first.operandType == second.operandType;
}
