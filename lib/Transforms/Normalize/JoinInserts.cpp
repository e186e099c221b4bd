//===- JoinInserts.cpp - What is put together, in one spelling ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Frontends put tensors together by insertions into an empty one:
//
//   %a = tensor.insert_slice %cache into %empty[0, 0, 0] [8, 256, 64]
//   %keys = tensor.insert_slice %key into %a[0, 256, 0] [8, 1, 64]
//
// That is a concatenation, and so is all that is said of these. JAX reads one
// tensor or another, by an index (see Columns.h), which is one, too. So a
// tensor of one number is a fill, whatever op makes it, and a generic that only
// permutes dimensions is a transposition.

#include "Columns.h"
#include "NormalizeSteps.h"
#include "OneSpelling.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

using namespace mlir;
using namespace mlir::trn;

static bool isContinued(tensor::InsertSliceOp insert) {
  if (!insert->hasOneUse())
    return false;
  OpOperand &use = *insert->use_begin();
  auto next = dyn_cast<tensor::InsertSliceOp>(use.getOwner());
  return next && &next.getDestMutable() == &use;
}

/// Replaces `last`, if it and the insertions that it goes on with fill a tensor
/// from one end of a dimension to the other.
static void join(tensor::InsertSliceOp last) {
  RankedTensorType type = last.getDestType();
  if (!type.hasStaticShape() || type.getEncoding() || isContinued(last))
    return;
  SmallVector<std::pair<DimRange, tensor::InsertSliceOp>> parts;
  for (auto part = last; part;
       part = part.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    std::optional<DimRange> range = matchRange(part);
    if (!range || range->stride != 1 ||
        (!parts.empty() &&
         (parts.front().first.dim != range->dim || !isContinued(part))))
      return;
    parts.push_back({*range, part});
  }
  if (parts.size() < 2)
    return;
  SmallVector<tensor::InsertSliceOp> chain(llvm::make_second_range(parts));
  llvm::sort(parts, [](const auto &a, const auto &b) {
    return a.first.offset < b.first.offset;
  });
  int64_t dim = parts.front().first.dim, end = 0;
  for (const DimRange &range : llvm::make_first_range(parts)) {
    if (range.offset != end)
      return;
    end += range.size;
  }
  if (end != type.getDimSize(dim))
    return;
  IRRewriter rewriter(last.getContext());
  rewriter.setInsertionPoint(last);
  SmallVector<Value> sources;
  for (auto [range, part] : parts) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = range.size;
    sources.push_back(
        reshape(rewriter, part.getLoc(), part.getSource(), type.clone(shape)));
  }
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(last, type, dim, sources);
  for (tensor::InsertSliceOp part : llvm::drop_begin(chain))
    rewriter.eraseOp(part);
}

/// Replaces `op`, if it reads whole tensors one behind the other.
static void join(linalg::GenericOp op) {
  JoinedRanges ranges = findJoinedRanges(op);
  if (ranges.size() < 2 || !isMemoryEffectFree(op))
    return;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t dim = ranges.front().second.dim, end = 0;
  for (auto [part, range] : ranges) {
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = range.size;
    if (range.dim != dim || range.offset != end ||
        part.getType() != type.clone(shape))
      return;
    end += range.size;
  }
  if (type.getEncoding() || end != type.getDimSize(dim))
    return;
  IRRewriter rewriter(op);
  SmallVector<Value> parts(llvm::make_first_range(ranges));
  rewriter.replaceOpWithNewOp<tensor::ConcatOp>(op, type, dim, parts);
}

void mlir::trn::joinInserts(func::FuncOp func) {
  SmallVector<tensor::InsertSliceOp> inserts;
  func.walk([&](tensor::InsertSliceOp op) {
    if (!isContinued(op))
      inserts.push_back(op);
  });
  for (tensor::InsertSliceOp op : inserts)
    join(op);
  func.walk([](linalg::GenericOp op) { join(op); });
  func.walk([](tensor::SplatOp op) {
    if (!op.getType().hasStaticShape() || op.getType().getEncoding())
      return;
    OpBuilder builder(op);
    op->replaceAllUsesWith(ValueRange(
        emitFill(builder, op.getLoc(), op.getInput(), op.getType())));
    op.erase();
  });
  func.walk([](linalg::GenericOp op) {
    if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1)
      return;
    auto type = dyn_cast<RankedTensorType>(op.getDpsInputs()[0].getType());
    auto permutation = linalg::isaTransposeOpInterface(op);
    if (!permutation || !type || !type.getRank() || type.getEncoding())
      return;
    IRRewriter rewriter(op);
    rewriter.replaceOpWithNewOp<linalg::TransposeOp>(
        op, op.getDpsInputs()[0], op.getDpsInits()[0], *permutation);
  });
}
