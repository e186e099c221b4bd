//===- ReferenceProduct.cpp - Matrix products of the reference ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReferenceValue.h"
#include "trn/Support/ForEachChunk.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
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
  forEachChunk(count, [&](int64_t first, int64_t end) {
    from.loadF32(begin + first, end - first, to + first);
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

/// out[i, j] = init[i, j] + sum over k of left(i, k) * right(k, j), for each
/// index of some batches.
struct Product {
  unsigned left, right; // operand numbers
  bool leftTransposed, rightTransposed;
  int64_t rows, columns, inner;
  /// From one row in memory to the next.
  int64_t leftStride, rightStride, outStride;
  /// How far one step of each batch moves.
  struct Batch {
    int64_t size, left, right, out;
  };
  SmallVector<Batch, 2> batches;
};

} // namespace

/// Nothing in the body but casts around one product and one sum.
static bool hasPlainBody(linalg::LinalgOp op) {
  return llvm::all_of(*op.getBlock(), [](Operation &inner) {
    return isa<arith::ExtFOp, arith::TruncFOp, arith::MulFOp, arith::AddFOp,
               linalg::YieldOp>(inner);
  });
}

/// By loop, how far one step moves in a dense tensor; 0 where it does not have
/// the loop.
static SmallVector<int64_t> findStrides(AffineMap map,
                                        ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (unsigned i = map.getNumResults(); i-- > 0;) {
    unsigned loop = map.getDimPosition(i);
    strides[loop] = stride;
    stride *= sizes[loop];
  }
  return strides;
}

/// Among the loops that are in `map`, in the result, and not in `other` its
/// last one if it is one of them, or else the longest.
static std::optional<unsigned> findRows(AffineMap map, AffineMap other,
                                        AffineMap result,
                                        ArrayRef<int64_t> sizes) {
  std::optional<unsigned> longest;
  for (unsigned i = map.getNumResults(); i-- > 0;) {
    unsigned loop = map.getDimPosition(i);
    if (!result.isFunctionOfDim(loop) || other.isFunctionOfDim(loop))
      continue;
    if (i + 1 == map.getNumResults())
      return loop;
    if (!longest || sizes[loop] > sizes[*longest])
      longest = loop;
  }
  return longest;
}

static std::optional<Product> matchProduct(linalg::LinalgOp op) {
  if (!linalg::isaContractionOpInterface(op) || !hasPlainBody(op))
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  SmallVector<unsigned> summed;
  op.getReductionDims(summed);
  if (summed.size() != 1 || llvm::any_of(maps, [](AffineMap map) {
        return map.getNumResults() < 2 || !map.isProjectedPermutation();
      }))
    return std::nullopt;

  // Columns lie behind each other in the result; either input may have them.
  unsigned inner = summed[0];
  auto lastOf = [&](unsigned operand) {
    return maps[operand].getDimPosition(maps[operand].getNumResults() - 1);
  };
  unsigned column = lastOf(2);
  Product product;
  product.left = maps[0].isFunctionOfDim(column) ? 1 : 0;
  product.right = 1 - product.left;
  if (!maps[product.right].isFunctionOfDim(column) ||
      maps[product.left].isFunctionOfDim(column))
    return std::nullopt;
  auto row = findRows(maps[product.left], maps[product.right], maps[2], sizes);
  if (!row)
    return std::nullopt;
  product.leftTransposed = lastOf(product.left) == *row;
  product.rightTransposed = lastOf(product.right) == inner;
  if ((!product.leftTransposed && lastOf(product.left) != inner) ||
      (!product.rightTransposed && lastOf(product.right) != column))
    return std::nullopt;

  product.rows = sizes[*row];
  product.columns = sizes[column];
  product.inner = sizes[inner];
  auto left = findStrides(maps[product.left], sizes);
  auto right = findStrides(maps[product.right], sizes);
  auto out = findStrides(maps[2], sizes);
  product.leftStride = left[product.leftTransposed ? inner : *row];
  product.rightStride = right[product.rightTransposed ? column : inner];
  product.outStride = out[*row];
  for (int64_t size :
       {product.rows, product.columns, product.inner, product.leftStride,
        product.rightStride, product.outStride})
    if (size < 1 || size > maxBlasSize)
      return std::nullopt;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    if (loop != *row && loop != column && loop != inner)
      product.batches.push_back(
          {sizes[loop], left[loop], right[loop], out[loop]});
  return product;
}

/// Rows [begin, begin + count) of the result, whose left rows are at `left`.
static void multiplyPanel(const Product &product, const float *left,
                          const float *right, float *out, int64_t begin,
                          int64_t count, float beta) {
  cblas_sgemm(CblasRowMajor, product.leftTransposed ? CblasTrans : CblasNoTrans,
              product.rightTransposed ? CblasTrans : CblasNoTrans, count,
              product.columns, product.inner, 1.0f, left, product.leftStride,
              right, product.rightStride, beta, out + begin * product.outStride,
              product.outStride);
}

/// All batches from the one of that number on.
static void multiplyBatches(const Product &product, size_t batch,
                            const float *left, const float *right, float *out,
                            float beta) {
  if (batch == product.batches.size())
    return multiplyPanel(product, left, right, out, 0, product.rows, beta);
  const Product::Batch &step = product.batches[batch];
  for (int64_t i = 0; i < step.size; ++i)
    multiplyBatches(product, batch + 1, left + i * step.left,
                    right + i * step.right, out + i * step.out, beta);
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
                  !product.leftTransposed && product.batches.empty();
  if (!inPanels) {
    auto wide = widen(left);
    if (!wide)
      return wide.takeError();
    multiplyBatches(product, 0, static_cast<const float *>((*wide)->data()),
                    rightValues, values, beta);
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
