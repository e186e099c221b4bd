//===- ViewAnalysis.cpp - Memrefs as accesses to buffers ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/ViewAnalysis.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<int64_t> mlir::trn::countElements(MemRefType type,
                                                int64_t elementBytes) {
  if (!type.hasStaticShape())
    return std::nullopt;
  int64_t count = 1, bytes = elementBytes;
  for (int64_t size : type.getShape()) {
    if (llvm::MulOverflow(bytes, size, bytes))
      return std::nullopt;
    count *= size;
  }
  return count;
}

/// Why a view cannot be followed; empty if it can.
using Reason = std::string;

// view_c2
static constexpr const char *dynamicSize =
    "has a dynamic size or stride, but every view in a kernel is static";
// address_c1
static constexpr const char *unknownOffset =
    "has an offset that is not a linear function of the loop counters, as "
    "every address in a kernel must be";
// view_c3
static constexpr const char *splitsPartitions =
    "splits, merges or drops the partition dimension of an on-chip buffer";

/// The dimensions that the result of `op` lacks; nothing if its strides fit no
/// choice. (Upstream's method compares them with those of the source, and ends
/// the program where the op has strides of its own.)
static std::optional<llvm::SmallBitVector>
findDroppedDims(memref::SubViewOp op) {
  MemRefType from = op.getSourceType(), to = op.getType();
  if (from.getRank() == to.getRank())
    return llvm::SmallBitVector(from.getRank());
  from = withStrides(from);
  SmallVector<int64_t> fromStrides, toStrides;
  int64_t offset;
  if (failed(from.getStridesAndOffset(fromStrides, offset)) ||
      failed(to.getStridesAndOffset(toStrides, offset)))
    return std::nullopt;
  ArrayRef<int64_t> sizes = op.getStaticSizes(), steps = op.getStaticStrides();
  auto isKept = [&](int64_t dim, int64_t position) {
    bool isKnown = !ShapedType::isDynamic(fromStrides[dim]) &&
                   !ShapedType::isDynamic(steps[dim]) &&
                   !ShapedType::isDynamic(toStrides[position]);
    return sizes[dim] == to.getDimSize(position) &&
           (!isKnown || uint64_t(fromStrides[dim]) * uint64_t(steps[dim]) ==
                            uint64_t(toStrides[position]));
  };
  llvm::SmallBitVector dropped(from.getRank());
  int64_t kept = 0;
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    if (kept < to.getRank() && isKept(dim, kept))
      ++kept;
    else if (sizes[dim] == 1)
      dropped.set(dim);
    else
      return std::nullopt;
  }
  return kept == to.getRank() ? std::optional(dropped) : std::nullopt;
}

namespace {
/// Turns the view of an op's source into the view of its result.
class ViewRewriter {
public:
  ViewRewriter(const IndexAnalysis &indices, View &view)
      : indices(indices), view(view) {}

  /// Where a dimension of size one is dropped beside another one, the type does
  /// not tell which; the one that must stay is the partition.
  void keepPartition(memref::SubViewOp op, llvm::SmallBitVector &dropped) {
    int kept = dropped.find_first_unset();
    for (int i = 0; i < kept; ++i)
      if (view.dims[i].isPartition &&
          getConstant(op.getMixedSizes()[kept]) == 1) {
        dropped.reset(i);
        dropped.set(kept);
        return;
      }
  }

  /// view_c1
  Reason checkInside(unsigned position, const LinearExpr &start, int64_t size,
                     int64_t stride) const {
    Interval range = indices.rangeOf(start);
    __int128 reach = __int128(size - 1) * stride;
    __int128 first = range.min + std::min<__int128>(reach, 0);
    __int128 last = range.max + std::max<__int128>(reach, 0);
    int64_t limit = view.dims[position].size;
    if (first >= 0 && last < limit)
      return "";
    return llvm::formatv("reaches elements {0} to {1} of dimension {2} of its "
                         "source, which has {3} of them; a view stays inside "
                         "of its source",
                         int64_t(first), int64_t(last), position, limit);
  }

  Reason subview(memref::SubViewOp op) {
    std::optional<llvm::SmallBitVector> found = findDroppedDims(op);
    if (!found)
      return "has a type that does not tell which dimensions it drops";
    llvm::SmallBitVector dropped = *found;
    keepPartition(op, dropped);
    SmallVector<View::Dim, 4> dims;
    for (auto [i, dim] : llvm::enumerate(view.dims)) {
      std::optional<LinearExpr> start = op.isDynamicOffset(i)
                                            ? find(op.getDynamicOffset(i))
                                            : LinearExpr(op.getStaticOffset(i));
      std::optional<int64_t> stride = op.isDynamicStride(i)
                                          ? getConstant(op.getDynamicStride(i))
                                          : op.getStaticStride(i);
      std::optional<int64_t> size = op.isDynamicSize(i)
                                        ? getConstant(op.getDynamicSize(i))
                                        : op.getStaticSize(i);
      if (!start)
        return unknownOffset;
      if (!stride || !size)
        return dynamicSize;
      // view_c3
      if (dim.isPartition && *stride != 1)
        return "skips partitions, which no engine can";
      if (Reason reason = checkInside(i, *start, *size, *stride);
          !reason.empty())
        return reason;
      (dim.isPartition ? view.partition : view.offset) +=
          *start * (dim.isPartition ? 1 : dim.stride);
      if (!dropped.test(i))
        dims.push_back({*size, dim.stride * *stride, dim.isPartition});
    }
    view.dims = std::move(dims);
    return "";
  }

  Reason reinterpretCast(memref::ReinterpretCastOp op) {
    bool onChip = isOnChip();
    std::optional<LinearExpr> offset = find(op.getMixedOffsets().front());
    if (!offset)
      return unknownOffset;
    view.offset = *offset; // counts from the start of the buffer
    view.partition = 0;
    view.dims.clear();
    for (auto [mixedSize, mixedStride] :
         llvm::zip_equal(op.getMixedSizes(), op.getMixedStrides())) {
      std::optional<int64_t> size = getConstant(mixedSize);
      std::optional<int64_t> stride = getConstant(mixedStride);
      if (!size || !stride)
        return dynamicSize;
      view.dims.push_back({*size, *stride});
    }
    return onChip ? splitAddresses() : "";
  }

  /// Makes partitions and elements of a partition of a view on chip whose
  /// offset and strides count the elements of the buffer one after the other.
  Reason splitAddresses() {
    if (view.dims.empty())
      return splitsPartitions;
    View::Dim &rows = view.dims.front();
    // view_c3
    if (rows.size != 1 && rows.stride != view.elements)
      return llvm::formatv("steps over {0} elements from one partition to the "
                           "next, but partitions of its buffer have {1}",
                           rows.stride, view.elements);
    rows = {rows.size, 1, /*isPartition=*/true};
    int64_t constant = view.offset.constant;
    view.partition = llvm::divideFloorSigned(constant, view.elements);
    LinearExpr element(constant - view.partition.constant * view.elements);
    for (const LinearExpr::Term &term : view.offset.terms) {
      view.partition +=
          LinearExpr::counter(term.loop, term.coefficient / view.elements);
      element +=
          LinearExpr::counter(term.loop, term.coefficient % view.elements);
    }
    view.offset = element;
    // view_c1
    Interval first = indices.rangeOf(view.partition);
    if (first.min < 0 || first.max > view.partitions - rows.size)
      return llvm::formatv("reaches partitions {0} to {1} of its buffer, which "
                           "has {2} of them",
                           first.min, first.max + rows.size - 1,
                           view.partitions);
    Interval range = indices.rangeOf(element);
    __int128 low = range.min, high = range.max;
    for (const View::Dim &dim : llvm::drop_begin(view.dims))
      (dim.stride < 0 ? low : high) += __int128(dim.size - 1) * dim.stride;
    if (low < 0 || high >= view.elements)
      return llvm::formatv("reaches elements {0} to {1} of a partition of its "
                           "buffer, which has {2} of them",
                           int64_t(low), int64_t(high), view.elements);
    return "";
  }

  Reason expandShape(memref::ExpandShapeOp op) {
    MemRefType type = op.getResultType();
    if (!type.hasStaticShape())
      return dynamicSize;
    SmallVector<View::Dim, 4> dims(type.getRank(), {1, 1});
    for (const auto &[index, group] :
         llvm::enumerate(op.getReassociationIndices())) {
      View::Dim source = view.dims[index];
      int64_t stride = source.stride;
      for (int64_t position : llvm::reverse(group)) {
        dims[position] = {type.getDimSize(position), stride};
        stride *= type.getDimSize(position);
      }
      if (!source.isPartition)
        continue;
      auto whole = llvm::find_if(group, [&](int64_t position) {
        return dims[position].size == source.size;
      });
      if (whole == group.end())
        return splitsPartitions;
      dims[*whole] = source;
    }
    view.dims = std::move(dims);
    return "";
  }

  Reason collapseShape(memref::CollapseShapeOp op) {
    SmallVector<View::Dim, 4> dims;
    for (const ReassociationIndices &group : op.getReassociationIndices()) {
      View::Dim merged = {1, 1};
      for (int64_t position : group) {
        const View::Dim &dim = view.dims[position];
        if (dim.size == 1 && !dim.isPartition)
          continue;
        if (merged.isPartition || (dim.isPartition && merged.size != 1))
          return splitsPartitions;
        if (merged.size != 1 && merged.stride != dim.stride * dim.size)
          return "merges dimensions that are not contiguous";
        merged = {merged.size * dim.size, dim.stride, dim.isPartition};
      }
      dims.push_back(merged);
    }
    view.dims = std::move(dims);
    return "";
  }

  Reason transpose(memref::TransposeOp op) {
    SmallVector<View::Dim, 4> dims;
    for (AffineExpr source : op.getPermutation().getResults())
      dims.push_back(view.dims[cast<AffineDimExpr>(source).getPosition()]);
    view.dims = std::move(dims);
    return "";
  }

  /// A cast to a space of its own would be a copy.
  Reason memorySpaceCast(memref::MemorySpaceCastOp op) {
    // view_c4
    if (getMemorySpace(op.getSource().getType()) !=
        getMemorySpace(op.getDest().getType()))
      return "changes the memory; use trn.dma_copy";
    return "";
  }

  bool isOnChip() const {
    return llvm::any_of(view.dims,
                        [](const View::Dim &dim) { return dim.isPartition; });
  }

  /// Why an index is not known, if that is why a view is not.
  const Refusal *findCause() const { return cause; }

private:
  std::optional<LinearExpr> find(OpFoldResult value) {
    if (auto constant = dyn_cast<Attribute>(value))
      return LinearExpr(cast<IntegerAttr>(constant).getInt());
    const LinearExpr *expr = indices.find(cast<Value>(value));
    if (!expr)
      cause = indices.facts().findRefusal(cast<Value>(value));
    return expr ? std::optional(*expr) : std::nullopt;
  }

  std::optional<int64_t> getConstant(OpFoldResult value) {
    std::optional<LinearExpr> expr = find(value);
    return expr && expr->isConstant() ? std::optional(expr->constant)
                                      : std::nullopt;
  }

  const IndexAnalysis &indices;
  View &view;
  const Refusal *cause = nullptr;
};
} // namespace

void ViewAnalysis::addBuffer(Value root, int32_t buffer, ElementType type) {
  auto memref = cast<MemRefType>(root.getType());
  bool onChip = getMemorySpace(memref) != MemorySpace::Hbm;
  View view = {buffer, type, 0, 0, {}};
  int64_t stride = 1;
  for (int64_t size : llvm::reverse(memref.getShape())) {
    view.dims.push_back({size, stride});
    stride *= size;
  }
  std::reverse(view.dims.begin(), view.dims.end());
  if (onChip && !view.dims.empty()) {
    view.partitions = memref.getDimSize(0);
    view.elements = view.dims.front().stride;
    view.dims.front() = {view.partitions, 1, /*isPartition=*/true};
  }
  views.set(root, std::move(view));
}

void ViewAnalysis::visit(Operation *op) {
  if (op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      !isa<MemRefType>(op->getResult(0).getType()))
    return;
  Value result = op->getResult(0), source = op->getOperand(0);
  const View *sourceView = views.find(source);
  if (!sourceView) {
    const Refusal *cause = views.findRefusal(source);
    return views.refuse(
        result, cause ? *cause
                      : Refusal{op, "is not a view of an argument or a buffer "
                                    "of the kernel"});
  }

  View view = *sourceView;
  ViewRewriter rewriter(indices, view);
  bool isOnChip = rewriter.isOnChip();
  Reason refused =
      TypeSwitch<Operation *, Reason>(op)
          .Case([&](memref::SubViewOp op) { return rewriter.subview(op); })
          .Case([&](memref::ReinterpretCastOp op) {
            return rewriter.reinterpretCast(op);
          })
          .Case([&](memref::ExpandShapeOp op) {
            return rewriter.expandShape(op);
          })
          .Case([&](memref::CollapseShapeOp op) {
            return rewriter.collapseShape(op);
          })
          .Case([&](memref::TransposeOp op) { return rewriter.transpose(op); })
          .Case([&](memref::MemorySpaceCastOp op) {
            return rewriter.memorySpaceCast(op);
          })
          .Case<memref::CastOp, memref::AssumeAlignmentOp>(
              [](auto) { return ""; })
          .Default([](Operation *) -> Reason {
            return "is not a view that a kernel may take; allowed are subview, "
                   "reinterpret_cast, expand_shape, collapse_shape, transpose "
                   "and cast";
          });
  if (refused.empty() && isOnChip != rewriter.isOnChip())
    refused = splitsPartitions;
  if (const Refusal *cause = rewriter.findCause())
    return views.refuse(result, *cause);
  if (!refused.empty())
    return views.refuse(result, {op, refused});
  views.set(result, std::move(view));
}

FailureOr<Access> ViewAnalysis::access(Value memref, Operation *user) const {
  const View *view = views.find(memref);
  if (!view)
    return emitRefusal(views.findRefusal(memref), memref, user);

  Access access = {view->buffer, view->type, view->partition, view->offset, {}};
  for (auto [position, dim] : llvm::enumerate(view->dims)) {
    // view_c3
    if (dim.isPartition && position != 0)
      return user->emitOpError("uses a view whose dimension ")
             << position
             << " is the partition, but on chip that must be dimension 0";
    access.dims.push_back({dim.size, dim.isPartition ? 1 : dim.stride});
  }
  return access;
}
