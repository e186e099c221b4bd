//===- FoldPartitions.cpp - Fold rows beyond the partitions ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A buffer of more rows than there are partitions becomes one of several tiles
// side by side in the free dimension:
//
//   BEFORE                                     AFTER
//   %b = trn.alloc : memref<300x64, sbuf>      memref<128x3x64, sbuf>
//   %t = memref.subview %b[%r, 0] [128, 64]    %b[0, %r floordiv 128, 0]
//                                                [128, 1, 64], rank reduced
//   trn.dma_copy %x to %b                      [128, 2, 64] at once, then
//                                              the last [44, 64]
//
// All views are resolved before the first op is changed, because a copy may
// have folded buffers on both sides.
//
//===----------------------------------------------------------------------===//

#include "trn/Decode/IndexAnalysis.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_FOLDPARTITIONS
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

namespace {

/// Rows and columns of a buffer that is folded, in its old coordinates.
struct View {
  AllocOp folded;
  OpFoldResult row;
  OpFoldResult column;
  int64_t rows;
  int64_t columns;
  int64_t columnStep; // from one column to the next
  /// `row` as a function of the loops, and the partition that it is in.
  LinearExpr firstRow;
  int64_t partition;
};

/// Every value that stands for (part of) an old buffer; views after sources.
using Views = llvm::MapVector<Value, View>;

/// Finds the views of old buffers.
class ViewResolver {
public:
  ViewResolver(const IndexAnalysis &indices, int64_t partitions)
      : indices(indices), partitions(partitions) {}

  /// Records `value`, which is `view`, and all views of it. Ops that can be
  /// neither kept nor split are errors.
  LogicalResult resolve(Value value, const View &view);

  Views takeViews() { return std::move(views); }

private:
  FailureOr<View> compose(memref::SubViewOp subview, const View &source) const;
  LogicalResult checkUser(Operation *user, const View &view) const;

  const IndexAnalysis &indices;
  int64_t partitions;
  Views views;
};

} // namespace

//===----------------------------------------------------------------------===//
// Resolving views
//===----------------------------------------------------------------------===//

static OpFoldResult sum(OpBuilder &builder, Location loc, OpFoldResult lhs,
                        OpFoldResult rhs) {
  if (isZeroInteger(lhs))
    return rhs;
  if (isZeroInteger(rhs))
    return lhs;
  AffineExpr x, y;
  bindDims(builder.getContext(), x, y);
  return affine::makeComposedFoldedAffineApply(builder, loc, x + y, {lhs, rhs});
}

/// The view that `subview` takes of `source`.
FailureOr<View> ViewResolver::compose(memref::SubViewOp subview,
                                      const View &source) const {
  MemRefType type = subview.getType();
  SmallVector<OpFoldResult> strides = subview.getMixedStrides();
  std::optional<int64_t> step = getConstantIntValue(strides.back());
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !isOneInteger(strides.front()) || !step || source.columnStep != 1)
    return subview.emitOpError(
        "takes a view of a folded buffer that is not a block of rows and "
        "columns with static sizes");
  SmallVector<OpFoldResult> offsets = subview.getMixedOffsets();
  FailureOr<LinearExpr> row = indices.index(offsets[0], subview);
  if (failed(row))
    return failure();
  LinearExpr firstRow = source.firstRow + *row;
  std::optional<int64_t> partition = indices.residue(firstRow, partitions);
  if (!partition)
    return subview.emitOpError("starts at a row that is not the same modulo ")
           << partitions << " in all iterations; loops over rows must advance "
           << "by multiples of it";
  OpBuilder builder(subview);
  return View{source.folded,
              sum(builder, subview.getLoc(), source.row, offsets[0]),
              sum(builder, subview.getLoc(), source.column, offsets[1]),
              type.getDimSize(0),
              type.getDimSize(1),
              *step,
              firstRow,
              *partition};
}

/// Whether instructions read the columns of some rows in pieces.
static bool readsColumnsApart(Operation *user) {
  auto apart = dyn_cast<memref::ExpandShapeOp>(user);
  return apart && apart.getReassociationIndices().front().size() == 1 &&
         llvm::all_of(apart->getUsers(), llvm::IsaPred<memref::SubViewOp>);
}

LogicalResult ViewResolver::checkUser(Operation *user, const View &view) const {
  if (isa<DeallocOp>(user))
    return success();
  bool anyRows = isa<DmaCopyOp, MemsetOp>(user);
  bool takesTile = isa<InstructionOpInterface>(user) || readsColumnsApart(user);
  if (!anyRows && !(takesTile && view.rows <= partitions)) {
    InFlightDiagnostic diagnostic = user->emitOpError()
                                    << "uses " << view.rows
                                    << " rows of an on-chip buffer, but only "
                                       "trn.dma_copy and trn.memset take more "
                                       "than "
                                    << partitions;
    diagnostic.attachNote(view.folded->getLoc()) << "the buffer";
    return diagnostic;
  }
  if (view.partition != 0 && view.partition + view.rows > partitions)
    return user->emitOpError()
           << "uses a view of " << view.rows << " rows that starts at row "
           << view.partition << " of a tile and leaves its " << partitions
           << " rows";
  return success();
}

LogicalResult ViewResolver::resolve(Value value, const View &view) {
  views.insert({value, view});
  for (Operation *user : value.getUsers()) {
    FailureOr<View> nested = failure();
    if (auto subview = dyn_cast<memref::SubViewOp>(user))
      nested = compose(subview, view);
    else if (isa<memref::CastOp>(user))
      nested = view;
    else if (failed(checkUser(user, view)))
      return failure();
    else
      continue;
    if (failed(nested) || failed(resolve(user->getResult(0), *nested)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Building views
//===----------------------------------------------------------------------===//

/// Rows `[first, first + rows)` of a matrix.
static Value takeRows(OpBuilder &builder, Location loc, Value matrix,
                      int64_t first, int64_t rows) {
  auto type = cast<MemRefType>(matrix.getType());
  if (rows == type.getDimSize(0))
    return matrix;
  SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(first),
                                       builder.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(rows),
                                     builder.getIndexAttr(type.getDimSize(1))};
  SmallVector<OpFoldResult> strides(2, builder.getIndexAttr(1));
  return memref::SubViewOp::create(builder, loc, matrix, offsets, sizes,
                                   strides);
}

/// Views the leading rows of a matrix in HBM as [partitions, tiles, columns].
static Value splitIntoTiles(OpBuilder &builder, Location loc, Value matrix,
                            int64_t tiles, int64_t partitions) {
  Value rows = takeRows(builder, loc, matrix, 0, tiles * partitions);
  if (tiles == 1)
    return rows;
  int64_t columns = cast<MemRefType>(rows.getType()).getDimSize(1);
  SmallVector<ReassociationIndices> groups = {{0, 1}, {2}};
  Value split = memref::ExpandShapeOp::create(
      builder, loc, ArrayRef<int64_t>{tiles, partitions, columns}, rows,
      groups);
  AffineMap swap = AffineMap::getPermutationMap(ArrayRef<unsigned>{1, 0, 2},
                                                builder.getContext());
  return memref::TransposeOp::create(builder, loc, split,
                                     AffineMapAttr::get(swap));
}

//===----------------------------------------------------------------------===//
// Rewriting users
//===----------------------------------------------------------------------===//

namespace {
/// Makes the users of old buffers use the folded ones.
class UserRewriter {
public:
  UserRewriter(const Views &views, int64_t partitions)
      : views(views), partitions(partitions) {}

  void rewriteUsers(Value value, const View &view);

private:
  OpFoldResult tileIndex(OpBuilder &builder, Location loc, const View &view,
                         int64_t first);
  Value takeTiles(OpBuilder &builder, Location loc, const View &view,
                  int64_t first, int64_t tiles, int64_t rows);
  void splitRows(Operation *op, int64_t rows);

  const Views &views;
  int64_t partitions;
  /// By the row of a view and its first tile.
  llvm::DenseMap<std::pair<Value, int64_t>, OpFoldResult> tileIndices;
};
} // namespace

/// The tile that is `first` after the one that `view` begins in.
OpFoldResult UserRewriter::tileIndex(OpBuilder &builder, Location loc,
                                     const View &view, int64_t first) {
  if (std::optional<int64_t> row = getConstantIntValue(view.row))
    return builder.getIndexAttr(*row / partitions + first);
  auto value = cast<Value>(view.row);
  OpFoldResult &index = tileIndices[{value, first}];
  if (!index) {
    // There, it serves all views that begin at this row.
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(value);
    AffineExpr row = builder.getAffineDimExpr(0) + first * partitions;
    index = affine::makeComposedFoldedAffineApply(
        builder, loc, row.floorDiv(partitions), {view.row});
  }
  return index;
}

/// Tiles `first ... first + tiles - 1` of a view: [rows, tiles, columns], or
/// [rows, columns] if it is one tile.
Value UserRewriter::takeTiles(OpBuilder &builder, Location loc,
                              const View &view, int64_t first, int64_t tiles,
                              int64_t rows) {
  AllocOp buffer = view.folded;
  MemRefType type = buffer.getBuffer().getType();
  SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(view.partition),
                                       tileIndex(builder, loc, view, first),
                                       view.column};
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(rows),
                                     builder.getIndexAttr(tiles),
                                     builder.getIndexAttr(view.columns)};
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  strides.back() = builder.getIndexAttr(view.columnStep);
  SmallVector<int64_t> shape = {rows, tiles, view.columns};
  if (tiles == 1)
    shape.erase(shape.begin() + 1);
  MemRefType result = memref::SubViewOp::inferRankReducedResultType(
      shape, withStrides(type), offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, result, buffer.getBuffer(),
                                   offsets, sizes, strides);
}

/// Replaces an op on more rows than partitions by the same on all full tiles
/// and the same on the rows that are left, if any.
void UserRewriter::splitRows(Operation *op, int64_t rows) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  int64_t tiles = rows / partitions, rest = rows % partitions;
  SmallVector<Value> full, last;
  for (Value operand : op->getOperands()) {
    auto it = views.find(operand);
    if (it == views.end()) {
      full.push_back(splitIntoTiles(builder, loc, operand, tiles, partitions));
      if (rest)
        last.push_back(
            takeRows(builder, loc, operand, tiles * partitions, rest));
      continue;
    }
    const View &view = it->second;
    full.push_back(takeTiles(builder, loc, view, 0, tiles, partitions));
    if (rest)
      last.push_back(takeTiles(builder, loc, view, tiles, 1, rest));
  }
  builder.clone(*op)->setOperands(full);
  if (rest)
    builder.clone(*op)->setOperands(last);
  op->erase();
}

/// Lets `apart` and its views be of `tile`, in which rows are further apart.
static void takeColumnsApart(memref::ExpandShapeOp apart, Value tile) {
  OpBuilder builder(apart);
  Value own = memref::ExpandShapeOp::create(
      builder, apart.getLoc(), apart.getResultType().getShape(), tile,
      apart.getReassociationIndices());
  for (Operation *user : llvm::make_early_inc_range(apart->getUsers())) {
    auto view = cast<memref::SubViewOp>(user);
    builder.setInsertionPoint(view);
    Value part = memref::SubViewOp::create(
        builder, view.getLoc(), own, view.getMixedOffsets(),
        view.getMixedSizes(), view.getMixedStrides());
    view.getResult().replaceAllUsesWith(part);
    view->erase();
  }
  apart->erase();
}

void UserRewriter::rewriteUsers(Value value, const View &view) {
  llvm::SmallSetVector<Operation *, 8> users(llvm::from_range,
                                             value.getUsers());
  Value tile;
  for (Operation *user : users) {
    bool isView = user->getNumResults() && views.contains(user->getResult(0));
    if (isView)
      continue;
    if (isa<DeallocOp>(user)) {
      user->setOperand(0, AllocOp(view.folded).getBuffer());
      continue;
    }
    if (view.rows > partitions) {
      splitRows(user, view.rows);
      continue;
    }
    if (!tile) {
      OpBuilder builder(user);
      builder.setInsertionPointAfterValue(value);
      tile = takeTiles(builder, value.getLoc(), view, 0, 1, view.rows);
    }
    if (auto apart = dyn_cast<memref::ExpandShapeOp>(user))
      takeColumnsApart(apart, tile);
    else
      user->replaceUsesOfWith(value, tile);
  }
}

static LogicalResult learnIndices(func::FuncOp kernel, IndexAnalysis &indices) {
  WalkResult result = kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return WalkResult(indices.addLoop(loop));
    indices.visit(op);
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Creates the folded buffer beside the old one.
static AllocOp createFolded(AllocOp alloc, int64_t partitions) {
  MemRefType type = alloc.getBuffer().getType();
  int64_t tiles = llvm::divideCeil(type.getDimSize(0), partitions);
  auto folded = MemRefType::get(
      {partitions, tiles, type.getDimSize(1)}, type.getElementType(),
      MemRefLayoutAttrInterface(), type.getMemorySpace());
  OpBuilder builder(alloc);
  auto created =
      AllocOp::create(builder, alloc.getLoc(), folded, alloc.getBuffersAttr(),
                      alloc.getBankAttr(), alloc.getOffsetAttr());
  created->setDiscardableAttrs(alloc->getDiscardableAttrDictionary());
  return created;
}

/// Erases the old views and the rows that only they needed.
static void eraseViews(const Views &views) {
  llvm::SmallSetVector<Operation *, 8> rows;
  // Views come after what they are taken of.
  for (const auto &[value, view] : llvm::reverse(views)) {
    value.getDefiningOp()->erase();
    if (auto row = dyn_cast<Value>(view.row))
      if (auto apply = row.getDefiningOp<affine::AffineApplyOp>())
        rows.insert(apply);
  }
  for (Operation *row : rows)
    if (row->use_empty())
      row->erase();
}

static void emitRemark(AllocOp folded, int64_t rows) {
  remark::passed(folded.getLoc(), remark::RemarkOpts::name("Folded").category(
                                      "trn-fold-partitions"))
      << "folded a buffer" << remark::metric("rows", rows)
      << remark::metric("tiles", folded.getBuffer().getType().getDimSize(1));
}

namespace {
struct FoldPartitionsPass final
    : trn::impl::FoldPartitionsBase<FoldPartitionsPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Machine> machine = getMachine(getOperation());
    if (failed(machine))
      return signalPassFailure();
    int64_t partitions = machine->partitions;

    SmallVector<AllocOp> olds;
    getOperation().walk([&](AllocOp alloc) {
      if (alloc.getBuffer().getType().getRank() == 2 &&
          alloc.getBuffer().getType().getDimSize(0) > partitions)
        olds.push_back(alloc);
    });
    if (olds.empty())
      return;
    IndexAnalysis indices;
    if (failed(learnIndices(getOperation(), indices)))
      return signalPassFailure();
    ViewResolver resolver(indices, partitions);
    for (AllocOp old : olds) {
      MemRefType type = old.getBuffer().getType();
      AllocOp folded = createFolded(old, partitions);
      Attribute zero = Builder(old).getIndexAttr(0);
      if (failed(resolver.resolve(old.getBuffer(),
                                  {folded, zero, zero, type.getDimSize(0),
                                   type.getDimSize(1), /*columnStep=*/1,
                                   /*firstRow=*/0, /*partition=*/0})))
        return signalPassFailure();
      emitRemark(folded, type.getDimSize(0));
    }

    Views views = resolver.takeViews();
    UserRewriter rewriter(views, partitions);
    for (auto &[value, view] : views)
      rewriter.rewriteUsers(value, view);
    eraseViews(views);
  }
};
} // namespace
