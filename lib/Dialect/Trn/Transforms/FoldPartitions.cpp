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

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

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
};

/// Every value that stands for (part of) an old buffer; views after sources.
using Views = llvm::MapVector<Value, View>;

} // namespace

//===----------------------------------------------------------------------===//
// Row offsets modulo the partitions
//===----------------------------------------------------------------------===//

static std::optional<int64_t> residue(OpFoldResult index, int64_t modulus);

static std::optional<int64_t> add(std::optional<int64_t> lhs,
                                  std::optional<int64_t> rhs, int64_t modulus) {
  if (!lhs || !rhs)
    return std::nullopt;
  return (*lhs + *rhs) % modulus;
}

/// The residue of `factor * x`: 64 * x is known modulo 128 if x is known modulo
/// 2. `residueOf` gives the residue of x.
static std::optional<int64_t>
scale(int64_t factor, int64_t modulus,
      function_ref<std::optional<int64_t>(int64_t)> residueOf) {
  std::optional<int64_t> rest = residueOf(modulus / std::gcd(modulus, factor));
  if (!rest)
    return std::nullopt;
  return llvm::mod(*rest * factor, modulus);
}

static std::optional<int64_t> residue(AffineExpr expr, AffineMap map,
                                      ValueRange operands, int64_t modulus) {
  if (modulus == 1)
    return 0;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return llvm::mod(constant.getValue(), modulus);
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return residue(operands[dim.getPosition()], modulus);
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return residue(operands[map.getNumDims() + symbol.getPosition()], modulus);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  if (expr.getKind() == AffineExprKind::Add)
    return add(residue(binary.getLHS(), map, operands, modulus),
               residue(binary.getRHS(), map, operands, modulus), modulus);
  // Affine expressions keep constant factors on the right.
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (expr.getKind() != AffineExprKind::Mul || !factor)
    return std::nullopt;
  return scale(factor.getValue(), modulus, [&](int64_t rest) {
    return residue(binary.getLHS(), map, operands, rest);
  });
}

/// `index` modulo `modulus` where that is the same in every iteration of the
/// loops around, and can be seen from their bounds and steps.
static std::optional<int64_t> residue(OpFoldResult index, int64_t modulus) {
  if (modulus == 1)
    return 0;
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return llvm::mod(*constant, modulus);
  auto value = cast<Value>(index);
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || value != loop.getInductionVar())
      return std::nullopt;
    std::optional<int64_t> step = getConstantIntValue(loop.getStep());
    if (!step || *step % modulus != 0)
      return std::nullopt;
    return residue(loop.getLowerBound(), modulus);
  }
  Operation *op = value.getDefiningOp();
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
    return residue(apply.getAffineMap().getResult(0), apply.getAffineMap(),
                   apply.getMapOperands(), modulus);
  if (auto sum = dyn_cast<arith::AddIOp>(op))
    return add(residue(sum.getLhs(), modulus), residue(sum.getRhs(), modulus),
               modulus);
  if (auto product = dyn_cast<arith::MulIOp>(op))
    for (auto [factor, other] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())})
      if (std::optional<int64_t> constant = getConstantIntValue(factor))
        return scale(*constant, modulus, [other = other](int64_t rest) {
          return residue(other, rest);
        });
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Resolving views
//===----------------------------------------------------------------------===//

static OpFoldResult sum(OpBuilder &builder, Location loc, OpFoldResult lhs,
                        OpFoldResult rhs) {
  AffineExpr x, y;
  bindDims(builder.getContext(), x, y);
  return affine::makeComposedFoldedAffineApply(builder, loc, x + y, {lhs, rhs});
}

/// The view that `subview` takes of `source`.
static FailureOr<View> compose(memref::SubViewOp subview, const View &source) {
  MemRefType type = subview.getType();
  if (type.getRank() != 2 || !type.hasStaticShape() ||
      !llvm::all_of(subview.getMixedStrides(), isOneInteger))
    return subview.emitOpError(
        "takes a view of a folded buffer that is not a block of rows and "
        "columns with static sizes");
  OpBuilder builder(subview);
  SmallVector<OpFoldResult> offsets = subview.getMixedOffsets();
  return View{source.folded,
              sum(builder, subview.getLoc(), source.row, offsets[0]),
              sum(builder, subview.getLoc(), source.column, offsets[1]),
              type.getDimSize(0), type.getDimSize(1)};
}

/// Records `value` and all views of it. Ops that can be neither kept nor split
/// are errors.
static LogicalResult resolve(Value value, View view, int64_t partitions,
                             Views &views) {
  views[value] = view;
  for (Operation *user : value.getUsers()) {
    if (auto subview = dyn_cast<memref::SubViewOp>(user)) {
      FailureOr<View> nested = compose(subview, view);
      if (failed(nested) ||
          failed(resolve(subview, *nested, partitions, views)))
        return failure();
      continue;
    }
    if (auto cast = dyn_cast<memref::CastOp>(user)) {
      if (failed(resolve(cast, view, partitions, views)))
        return failure();
      continue;
    }
    if (isa<DeallocOp, DmaCopyOp, MemsetOp>(user) ||
        (isa<InstructionOpInterface>(user) && view.rows <= partitions))
      continue;
    InFlightDiagnostic diagnostic = user->emitOpError()
                                    << "uses " << view.rows
                                    << " rows of an on-chip buffer, but only "
                                       "trn.dma_copy and trn.memset take more "
                                       "than "
                                    << partitions;
    diagnostic.attachNote(view.folded.getLoc()) << "the buffer";
    return diagnostic;
  }
  return success();
}

/// The distance of a view's first row from the start of a tile.
static FailureOr<int64_t> distanceFromTile(Operation *user, const View &view,
                                           int64_t partitions) {
  std::optional<int64_t> distance = residue(view.row, partitions);
  if (!distance)
    return user->emitOpError()
           << "uses a view whose first row is not known modulo " << partitions
           << "; loops over rows must advance by multiples of it";
  if (*distance != 0 && *distance + view.rows > partitions)
    return user->emitOpError()
           << "uses a view of " << view.rows << " rows that starts at row "
           << *distance << " of a tile and leaves its " << partitions
           << " rows";
  return *distance;
}

//===----------------------------------------------------------------------===//
// Building views
//===----------------------------------------------------------------------===//

/// Tiles `first ... first + tiles - 1` of a view: [rows, tiles, columns], or
/// [rows, columns] if it is one tile. `distance` is the first partition.
static Value takeTiles(OpBuilder &builder, Location loc, const View &view,
                       int64_t distance, int64_t first, int64_t tiles,
                       int64_t rows) {
  AllocOp buffer = view.folded;
  MemRefType type = buffer.getBuffer().getType();
  int64_t partitions = type.getDimSize(0);
  AffineExpr row = builder.getAffineDimExpr(0);
  OpFoldResult tile = affine::makeComposedFoldedAffineApply(
      builder, loc, (row + first * partitions).floorDiv(partitions),
      {view.row});
  SmallVector<OpFoldResult> offsets = {builder.getIndexAttr(distance), tile,
                                       view.column};
  SmallVector<OpFoldResult> sizes = {builder.getIndexAttr(rows),
                                     builder.getIndexAttr(tiles),
                                     builder.getIndexAttr(view.columns)};
  SmallVector<OpFoldResult> strides(3, builder.getIndexAttr(1));
  SmallVector<int64_t> shape = {rows, tiles, view.columns};
  if (tiles == 1)
    shape.erase(shape.begin() + 1);
  MemRefType result = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, result, buffer.getBuffer(),
                                   offsets, sizes, strides);
}

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
static Value takeTiles(OpBuilder &builder, Location loc, Value matrix,
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

/// Replaces an op on more rows than partitions by the same on all full tiles
/// and the same on the rows that are left, if any.
static LogicalResult splitRows(Operation *op, int64_t rows, int64_t partitions,
                               const Views &views) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  int64_t tiles = rows / partitions, rest = rows % partitions;
  SmallVector<Value> full, last;
  for (Value operand : op->getOperands()) {
    auto it = views.find(operand);
    if (it == views.end()) {
      full.push_back(takeTiles(builder, loc, operand, tiles, partitions));
      if (rest)
        last.push_back(
            takeRows(builder, loc, operand, tiles * partitions, rest));
      continue;
    }
    const View &view = it->second;
    FailureOr<int64_t> distance = distanceFromTile(op, view, partitions);
    if (failed(distance))
      return failure();
    full.push_back(
        takeTiles(builder, loc, view, *distance, 0, tiles, partitions));
    if (rest)
      last.push_back(takeTiles(builder, loc, view, *distance, tiles, 1, rest));
  }
  builder.clone(*op)->setOperands(full);
  if (rest)
    builder.clone(*op)->setOperands(last);
  op->erase();
  return success();
}

/// Makes `user` access a view of at most one tile in the folded buffer.
static LogicalResult rewriteTileUser(Operation *user, Value value,
                                     const View &view, int64_t partitions,
                                     DenseMap<Value, Value> &tiles) {
  FailureOr<int64_t> distance = distanceFromTile(user, view, partitions);
  if (failed(distance))
    return failure();
  Value &tile = tiles[value];
  if (!tile) {
    OpBuilder builder(user);
    builder.setInsertionPointAfterValue(value);
    tile = takeTiles(builder, value.getLoc(), view, *distance, 0, 1, view.rows);
  }
  user->replaceUsesOfWith(value, tile);
  return success();
}

static LogicalResult rewriteUser(Operation *user, Value value, const View &view,
                                 int64_t partitions, const Views &views,
                                 DenseMap<Value, Value> &tiles) {
  if (isa<DeallocOp>(user)) {
    user->setOperand(0, AllocOp(view.folded).getBuffer());
    return success();
  }
  if (view.rows <= partitions)
    return rewriteTileUser(user, value, view, partitions, tiles);
  return splitRows(user, view.rows, partitions, views);
}

/// Makes all users of old buffers use the folded ones.
static LogicalResult rewriteUsers(const Views &views, int64_t partitions) {
  DenseMap<Value, Value> tiles;
  for (auto &[value, view] : views) {
    llvm::SmallSetVector<Operation *, 8> users(llvm::from_range,
                                               value.getUsers());
    for (Operation *user : users) {
      bool isView = user->getNumResults() && views.contains(user->getResult(0));
      if (!isView &&
          failed(rewriteUser(user, value, view, partitions, views, tiles)))
        return failure();
    }
  }
  return success();
}

/// Creates the folded buffer beside the old one.
static AllocOp createFolded(AllocOp alloc, int64_t partitions) {
  MemRefType type = alloc.getBuffer().getType();
  int64_t tiles = llvm::divideCeil(type.getDimSize(0), partitions);
  auto folded = MemRefType::get(
      {partitions, tiles, type.getDimSize(1)}, type.getElementType(),
      MemRefLayoutAttrInterface(), type.getMemorySpace());
  OpBuilder builder(alloc);
  return AllocOp::create(builder, alloc.getLoc(), folded,
                         alloc.getBuffersAttr(), alloc.getBankAttr(),
                         alloc.getOffsetAttr());
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
    Views views;
    for (AllocOp old : olds) {
      MemRefType type = old.getBuffer().getType();
      AllocOp folded = createFolded(old, partitions);
      Attribute zero = Builder(old).getIndexAttr(0);
      if (failed(resolve(
              old.getBuffer(),
              {folded, zero, zero, type.getDimSize(0), type.getDimSize(1)},
              partitions, views)))
        return signalPassFailure();
      emitRemark(folded, type.getDimSize(0));
    }

    if (failed(rewriteUsers(views, partitions)))
      return signalPassFailure();
    // Views come after what they are taken of.
    for (auto &[value, view] : llvm::reverse(views))
      value.getDefiningOp()->erase();
  }
};
} // namespace
