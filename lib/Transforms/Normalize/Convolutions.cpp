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
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/Sequence.h"
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

/// `collapse`, of what `transpose` moves, in front of it, if it merges
/// neighbours there: as height and width of an image.
static linalg::TransposeOp mergeBefore(RewriterBase &rewriter,
                                       linalg::TransposeOp transpose,
                                       tensor::CollapseShapeOp collapse) {
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  SmallVector<ReassociationIndices> groups = collapse.getReassociationIndices();
  for (const ReassociationIndices &group : groups)
    for (int64_t dim : ArrayRef(group).drop_front())
      if (permutation[dim] != permutation[dim - 1] + 1)
        return {};
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, groups.size()));
  llvm::sort(order, [&](int64_t one, int64_t other) {
    return permutation[groups[one].front()] <
           permutation[groups[other].front()];
  });
  SmallVector<int64_t> shape;
  SmallVector<ReassociationIndices> merged;
  for (int64_t group : order) {
    merged.push_back(llvm::map_to_vector<2>(
        groups[group], [&](int64_t dim) { return permutation[dim]; }));
    shape.push_back(collapse.getResultType().getDimSize(group));
  }
  Value source = tensor::CollapseShapeOp::create(
      rewriter, collapse.getLoc(), collapse.getResultType().clone(shape),
      transpose.getInput(), merged);
  return emitTranspose(rewriter, transpose.getLoc(), source,
                       invertPermutationVector(order))
      .getDefiningOp<linalg::TransposeOp>();
}

/// `op`, which computes each element of what `transpose` moves, in front of it,
/// if it reads nothing else as large.
static linalg::TransposeOp computeBefore(RewriterBase &rewriter,
                                         linalg::TransposeOp transpose,
                                         linalg::GenericOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (!op.hasPureTensorSemantics() || op.hasIndexSemantics() ||
      op.hasDynamicShape() || !op.isAllParallelLoops() ||
      op.getNumDpsInits() != 1 || !maps.back().isIdentity() ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return {};
  SmallVector<Value> inputs = op.getDpsInputs();
  AffineMap order =
      AffineMap::getPermutationMap(transpose.getPermutation(), op.getContext());
  for (auto [input, map] : llvm::zip(inputs, maps)) {
    bool isMoved = input == transpose->getResult(0);
    if (isMoved ? !map.isIdentity() : map.isPermutation())
      return {};
    if (isMoved)
      input = transpose.getInput();
    else
      map = map.compose(order);
  }
  auto type = cast<RankedTensorType>(op.getResult(0).getType());
  SmallVector<int64_t> shape(type.getShape());
  applyPermutationToVector(shape,
                           invertPermutationVector(transpose.getPermutation()));
  Value empty = tensor::EmptyOp::create(rewriter, op.getLoc(), shape,
                                        type.getElementType());
  auto before =
      linalg::GenericOp::create(rewriter, op.getLoc(), empty.getType(), inputs,
                                empty, maps, op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op.getRegion(), before.getRegion(),
                             before.getRegion().begin());
  return emitTranspose(rewriter, transpose.getLoc(), before.getResult(0),
                       transpose.getPermutation())
      .getDefiningOp<linalg::TransposeOp>();
}

/// Moves `transpose` behind what is computed of it, up to where it is undone.
static void sink(RewriterBase &rewriter, linalg::TransposeOp transpose) {
  while (transpose && !transpose->use_empty() &&
         llvm::all_equal(transpose->getUsers())) {
    Operation *user = *transpose->user_begin();
    rewriter.setInsertionPoint(user);
    linalg::TransposeOp next;
    if (auto other = dyn_cast<linalg::TransposeOp>(user)) {
      if (other.getInput() == transpose->getResult(0) &&
          isIdentityPermutation(applyPermutation(transpose.getPermutation(),
                                                 other.getPermutation())))
        rewriter.replaceOp(other, transpose.getInput());
      return;
    }
    if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(user))
      next = mergeBefore(rewriter, transpose, collapse);
    else if (auto generic = dyn_cast<linalg::GenericOp>(user))
      next = computeBefore(rewriter, transpose, generic);
    if (next)
      rewriter.replaceOp(user, next->getResults());
    transpose = next;
  }
}

static void rewriteConvolution(linalg::LinalgOp op) {
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
  // Features come last, as the columns of a product.
  constexpr StringLiteral last = "npqf";
  SmallVector<int64_t> permutation, back;
  for (char dim : last)
    permutation.push_back(conv->result.find(dim));
  for (char dim : conv->result)
    back.push_back(last.find(dim));
  bool isMoved = conv->result != last;
  Value init = op.getDpsInits()[0];
  if (isMoved && isZeroFilled(init))
    init = emitZeros(
        rewriter, loc,
        RankedTensorType::get(
            applyPermutation(cast<RankedTensorType>(init.getType()).getShape(),
                             permutation),
            getElementTypeOrSelf(init)));
  else if (isMoved)
    init = emitTranspose(rewriter, loc, init, permutation);
  Value result =
      linalg::GenericOp::create(
          rewriter, loc, init.getType(), ValueRange{image, kernel}, init,
          ArrayRef{mapOf(conv->image), mapOf(conv->kernel), mapOf(last)},
          iterators, buildProductBody)
          .getResult(0);
  if (!isMoved)
    return rewriter.replaceOp(op, result);
  Value moved = emitTranspose(rewriter, loc, result, back);
  rewriter.replaceOp(op, moved);
  sink(rewriter, moved.getDefiningOp<linalg::TransposeOp>());
}

void mlir::trn::rewriteConvolutions(func::FuncOp func) {
  SmallVector<linalg::LinalgOp> ops;
  func.walk([&](linalg::LinalgOp op) {
    if (matchConvolution(op))
      ops.push_back(op);
  });
  for (linalg::LinalgOp op : ops)
    rewriteConvolution(op);
}
