//===- Convolutions.cpp - Convolutions that are products ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Where windows neither overlap nor leave gaps each element of the input is
// read once, so that a convolution is a product of reshaped tensors: an image
// of patches as vision transformers have it
//
//   o[n, p, q, f] = sum over h, w, c of x[n, p * H + h, q * W + w, c] *
//                                       k[h, w, c, f]
//
// reads x as [n, p, h, q, w, c]. Windows of one element are a case of it.
//
//===----------------------------------------------------------------------===//

#include "NormalizeSteps.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A convolution of images. Dims are n: images, p and q: windows, h and w:
/// elements of a window, c: channels, f: features.
struct Convolution {
  StringRef image, kernel, result;
  DenseIntElementsAttr strides, dilations;
};
} // namespace

static std::optional<Convolution> matchConvolution(Operation *op) {
  using Result = std::optional<Convolution>;
  return TypeSwitch<Operation *, Result>(op)
      .Case([](linalg::Conv2DNhwcHwcfOp conv) {
        return Convolution{"nphqwc", "hwcf", "npqf", conv.getStrides(),
                           conv.getDilations()};
      })
      .Case([](linalg::Conv2DNhwcFhwcOp conv) {
        return Convolution{"nphqwc", "fhwc", "npqf", conv.getStrides(),
                           conv.getDilations()};
      })
      .Case([](linalg::Conv2DNchwFchwOp conv) {
        return Convolution{"ncphqw", "fchw", "nfpq", conv.getStrides(),
                           conv.getDilations()};
      })
      .Default([](Operation *) { return std::nullopt; });
}

/// The sizes of the dims of `tensor`.
static void addSizes(DenseMap<char, int64_t> &sizes, StringRef dims,
                     Value tensor) {
  for (auto [dim, size] : llvm::zip_equal(
           dims, cast<RankedTensorType>(tensor.getType()).getShape()))
    sizes[dim] = size;
}

/// Whether windows of `sizes` lie side by side and cover an image of `shape`.
static bool isTiled(const Convolution &conv, DenseMap<char, int64_t> &sizes,
                    ArrayRef<int64_t> shape) {
  auto strides = conv.strides.getValues<int64_t>();
  if (!llvm::equal(strides, ArrayRef{sizes['h'], sizes['w']}) ||
      !llvm::all_of(conv.dilations.getValues<int64_t>(),
                    [](int64_t dilation) { return dilation == 1; }))
    return false;
  // Its height and width are neighbours.
  ArrayRef<int64_t> image = shape.drop_front(conv.image.find('p'));
  return image[0] == sizes['p'] * sizes['h'] &&
         image[1] == sizes['q'] * sizes['w'];
}

void mlir::trn::rewriteConvolution(linalg::LinalgOp op) {
  auto conv = matchConvolution(op);
  if (!conv || !op.hasPureTensorSemantics() || op.hasDynamicShape() ||
      !isa<FloatType>(getElementTypeOrSelf(op->getResult(0))))
    return;
  Value image = op.getDpsInputs()[0], kernel = op.getDpsInputs()[1];
  auto type = cast<RankedTensorType>(image.getType());
  DenseMap<char, int64_t> sizes;
  addSizes(sizes, conv->kernel, kernel);
  addSizes(sizes, conv->result, op->getResult(0));
  if (!isTiled(*conv, sizes, type.getShape()))
    return;
  IRRewriter rewriter(op.getContext());
  rewriter.setInsertionPoint(op);
  Location loc = op.getLoc();
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape;
  for (char dim : conv->image) {
    if (dim == 'h' || dim == 'w')
      groups.back().push_back(shape.size());
    else
      groups.push_back({int64_t(shape.size())});
    shape.push_back(sizes[dim]);
  }
  image = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(shape), image,
                                        groups);
  constexpr StringLiteral loops = "npqfhwc";
  auto mapOf = [&](StringRef dims) {
    SmallVector<AffineExpr> indices;
    for (char dim : dims)
      indices.push_back(rewriter.getAffineDimExpr(loops.find(dim)));
    return AffineMap::get(loops.size(), 0, indices, rewriter.getContext());
  };
  SmallVector<utils::IteratorType> iterators(loops.size(),
                                             utils::IteratorType::parallel);
  std::fill(iterators.end() - 3, iterators.end(),
            utils::IteratorType::reduction);
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, op->getResultTypes(), ValueRange{image, kernel}, op.getDpsInits(),
      ArrayRef{mapOf(conv->image), mapOf(conv->kernel), mapOf(conv->result)},
      iterators, buildProductBody);
}
