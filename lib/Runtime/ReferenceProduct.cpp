//===- ReferenceProduct.cpp - Matrix products of the reference ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/Parallel.h"
#include <cblas.h>

using namespace mlir;
using namespace mlir::trn;

// A narrow left operand is widened this many elements at a time.
static constexpr int64_t panelElements = int64_t(1) << 24;
// Sizes are int in the interface of BLAS.
static constexpr int64_t maxBlasSize = std::numeric_limits<int>::max();

bool mlir::trn::isEvaluated(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF64() || getNarrowType(element);
}

std::optional<ElementType> mlir::trn::getNarrowType(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (element.isBF16())
    return ElementType::BF16;
  if (element.isF16())
    return ElementType::F16;
  return std::nullopt;
}

void mlir::trn::roundTo(ElementType type, float *values, int64_t count) {
  constexpr int64_t chunk = 1 << 10;
  uint16_t narrow[chunk];
  for (int64_t begin = 0; begin < count; begin += chunk) {
    int64_t size = std::min(chunk, count - begin);
    storeFloats(type, values + begin, narrow, size);
    loadFloats(type, narrow, values + begin, size);
  }
}

/// Widens [begin, begin + count) of `from` into `to`.
static void widenRange(const HostTensor &from, int64_t begin, int64_t count,
                       float *to) {
  constexpr int64_t chunk = 1 << 16;
  llvm::parallelFor(0, llvm::divideCeil(count, chunk), [&](size_t index) {
    int64_t i = int64_t(index) * chunk;
    from.loadF32(begin + i, std::min(chunk, count - i), to + i);
  });
}

llvm::Expected<std::shared_ptr<const HostTensor>>
mlir::trn::widen(const ReferenceValue &value) {
  if (value.data && value.data->getType() == ElementType::F32)
    return value.data;
  auto wide = HostTensor::create(ElementType::F32, value.shape);
  if (!wide)
    return wide.takeError();
  auto *to = static_cast<float *>(wide->data());
  if (value.data)
    widenRange(*value.data, 0, value.numElements(), to);
  else
    std::fill_n(to, value.numElements(), value.splat);
  return std::make_shared<const HostTensor>(std::move(*wide));
}

namespace {

/// out[i, j] = init[i, j] + sum over k of left(i, k) * right(k, j).
struct Product {
  unsigned left, right; // operand numbers
  bool leftTransposed, rightTransposed;
  int64_t rows, columns, inner;
};

} // namespace

/// Nothing in the body but casts around one product and one sum.
static bool hasPlainBody(linalg::LinalgOp op) {
  return llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return isa<arith::ExtFOp, arith::TruncFOp, arith::MulFOp, arith::AddFOp,
               linalg::YieldOp>(inner);
  });
}

static std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) || !hasPlainBody(op))
    return std::nullopt;
  FailureOr<linalg::ContractionDimensions> dims =
      linalg::inferContractionDims(op);
  if (failed(dims) || !dims->batch.empty() || dims->m.size() != 1 ||
      dims->n.size() != 1 || dims->k.size() != 1)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (llvm::any_of(maps,
                   [](AffineMap map) { return map.getNumResults() != 2; }))
    return std::nullopt;

  // Either input may hold the rows of the result.
  unsigned row = maps[2].getDimPosition(0), inner = dims->k[0];
  Product product;
  product.left = maps[0].isFunctionOfDim(row) ? 0 : 1;
  product.right = 1 - product.left;
  product.leftTransposed = maps[product.left].getDimPosition(0) == inner;
  product.rightTransposed = maps[product.right].getDimPosition(1) == inner;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  product.rows = sizes[row];
  product.columns = sizes[maps[2].getDimPosition(1)];
  product.inner = sizes[inner];
  for (int64_t size : {product.rows, product.columns, product.inner})
    if (size < 1 || size > maxBlasSize)
      return std::nullopt;
  return product;
}

/// Rows [begin, begin + count) of the result, whose left rows are at `left`.
static void multiplyPanel(const Product &product, const float *left,
                          const float *right, float *out, int64_t begin,
                          int64_t count, float beta) {
  cblas_sgemm(CblasRowMajor, product.leftTransposed ? CblasTrans : CblasNoTrans,
              product.rightTransposed ? CblasTrans : CblasNoTrans, count,
              product.columns, product.inner, 1.0f, left,
              product.leftTransposed ? product.rows : product.inner, right,
              product.rightTransposed ? product.inner : product.columns, beta,
              out + begin * product.columns, product.columns);
}

static llvm::Expected<ReferenceValue>
multiply(const Product &product, ArrayRef<ReferenceValue> operands,
         std::optional<ElementType> narrow) {
  const ReferenceValue &left = operands[product.left];
  const ReferenceValue &init = operands[2];
  auto right = widen(operands[product.right]);
  if (!right)
    return right.takeError();
  auto out = HostTensor::create(ElementType::F32, init.shape);
  if (!out)
    return out.takeError();
  auto *values = static_cast<float *>(out->data());
  const auto *rightValues = static_cast<const float *>((*right)->data());
  // BLAS does not read the result if beta is 0.
  float beta = !init.data && init.splat == 0 ? 0 : 1;
  if (beta != 0 && init.data)
    widenRange(*init.data, 0, init.numElements(), values);
  else if (beta != 0)
    std::fill_n(values, init.numElements(), init.splat);

  bool inPanels = left.data && left.data->getType() != ElementType::F32 &&
                  !product.leftTransposed;
  if (!inPanels) {
    auto wide = widen(left);
    if (!wide)
      return wide.takeError();
    multiplyPanel(product, static_cast<const float *>((*wide)->data()),
                  rightValues, values, 0, product.rows, beta);
  } else {
    int64_t panel =
        std::clamp<int64_t>(panelElements / product.inner, 1, product.rows);
    std::vector<float> rows(panel * product.inner);
    for (int64_t begin = 0; begin < product.rows; begin += panel) {
      int64_t count = std::min(panel, product.rows - begin);
      widenRange(*left.data, begin * product.inner, count * product.inner,
                 rows.data());
      multiplyPanel(product, rows.data(), rightValues, values, begin, count,
                    beta);
    }
  }
  if (narrow)
    roundTo(*narrow, values, init.numElements());
  ReferenceValue result;
  result.shape = init.shape;
  result.data = std::make_shared<const HostTensor>(std::move(*out));
  return result;
}

bool mlir::trn::isProduct(linalg::LinalgOp op) {
  return matchProduct(op).has_value();
}

FailureOr<std::optional<ReferenceValue>>
mlir::trn::evaluateProduct(linalg::LinalgOp op,
                           ArrayRef<ReferenceValue> operands) {
  std::optional<Product> product = matchProduct(op);
  if (!product)
    return std::optional<ReferenceValue>();
  llvm::Expected<ReferenceValue> result =
      multiply(*product, operands, getNarrowType(op->getResult(0).getType()));
  if (!result)
    return op.emitError("cannot compute reference values: ")
           << llvm::toString(result.takeError());
  return std::optional<ReferenceValue>(std::move(*result));
}
