//===- CoreMeeting.cpp - What cores do with a tensor ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreMeeting.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

/// As many as `trn-partition` splits work for.
static constexpr int64_t mostCores = 1 << 16;

namespace {
/// The grid of an op, whose last axis counts fastest.
struct Grid {
  SmallVector<int64_t> shape;

  int64_t cores() const {
    int64_t count = 1;
    for (int64_t size : shape)
      if (llvm::MulOverflow(count, size, count))
        return std::numeric_limits<int64_t>::max();
    return count;
  }
  /// The number of elements behind `axis`.
  int64_t stride(size_t axis) const {
    return ShapedType::getNumElements(ArrayRef(shape).drop_front(axis + 1));
  }
  int64_t place(int64_t core, size_t axis) const {
    return core / stride(axis) % shape[axis];
  }
  /// The core at place `to` of `axis` beside `core`.
  int64_t moved(int64_t core, size_t axis, int64_t to) const {
    return core + (to - place(core, axis)) * stride(axis);
  }
};
} // namespace

template <typename Op>
static FailureOr<Grid> findGrid(Op op, SymbolTable &symbols) {
  auto grid = symbols.lookup<shard::GridOp>(op.getGrid());
  if (!grid)
    return op->emitOpError("is on @")
           << op.getGrid() << ", but the module has no such grid";
  if (llvm::any_of(grid.getShape(), [](int64_t size) { return size <= 0; }))
    return op->emitOpError("is on @")
           << op.getGrid() << ", but a program needs the number of its cores";
  Grid found{SmallVector<int64_t>(grid.getShape())};
  if (found.cores() > mostCores)
    return op->emitOpError("is on @")
           << op.getGrid() << " of " << found.cores() << " cores, but at most "
           << mostCores << " can meet";
  return found;
}

using Kind = CoreMeeting::Kind;

/// Whether cores can meet over a tensor. What they only move may have integers.
static bool isPlain(Type type, bool isMoved) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getRank() < 1 ||
      tensor.getRank() > 5 || tensor.getNumElements() == 0)
    return false;
  Type element = tensor.getElementType();
  return element.isF32() || element.isF16() || element.isBF16() ||
         (isMoved &&
          (element.isSignlessInteger(32) || element.isSignlessInteger(8)));
}

template <typename Op>
static LogicalResult verifyTypes(Op op, Kind kind) {
  const bool isMoved = kind != Kind::AllReduce && kind != Kind::ReduceScatter;
  Type from = op.getInput().getType(), to = op.getResult().getType();
  if (isPlain(from, isMoved) && isPlain(to, isMoved) &&
      getElementTypeOrSelf(from) == getElementTypeOrSelf(to))
    return success();
  return op->emitOpError("makes ")
         << to << " of " << from
         << ", but cores meet over tensors of 1 to 5 static dimensions and one "
            "type, "
         << (isMoved ? "bf16, f16, f32, i32 or i8" : "bf16, f16 or f32");
}

/// Upstream does not look at all of them.
template <typename Op>
static LogicalResult verifyDims(Op op, ArrayRef<int64_t> dims) {
  const int64_t rank =
      cast<RankedTensorType>(op.getInput().getType()).getRank();
  for (int64_t dim : dims)
    if (dim < 0 || dim >= rank)
      return op->emitOpError("names dimension ")
             << dim << ", but its tensor has " << rank;
  return success();
}

/// A core that a program names; cores choose none while they run.
template <typename Op>
static LogicalResult verifyRoot(Op op, const Grid &grid, ValueRange dynamic) {
  ArrayRef<int64_t> root = op.getRoot();
  if (!dynamic.empty())
    return op->emitOpError("has a root that only a run knows, but all cores "
                           "run one program; give its numbers");
  if (root.size() != op.getGridAxes().size())
    return op->emitOpError("has a root of ")
           << root.size() << " numbers, but names " << op.getGridAxes().size()
           << " axes";
  for (auto [place, axis] : llvm::zip_equal(root, op.getGridAxes()))
    if (place < 0 || place >= grid.shape[axis])
      return op->emitOpError("has root ")
             << place << " on axis " << axis << ", which has "
             << grid.shape[axis] << " cores";
  return success();
}

static std::optional<ReduceFunction> functionOf(shard::ReductionKind kind) {
  switch (kind) {
  case shard::ReductionKind::Sum:
    return ReduceFunction::Add;
  case shard::ReductionKind::Product:
    return ReduceFunction::Mul;
  case shard::ReductionKind::Max:
    return ReduceFunction::Max;
  case shard::ReductionKind::Min:
    return ReduceFunction::Min;
  default:
    return std::nullopt;
  }
}

template <typename Op>
static CoreMeeting makeMeeting(Op op, Kind kind, const Grid &grid) {
  auto toMemRef = [](Value tensor) {
    auto type = cast<RankedTensorType>(tensor.getType());
    return MemRefType::get(type.getShape(), type.getElementType());
  };
  return {kind, toMemRef(op.getInput()), toMemRef(op.getResult()),
          grid.cores()};
}

/// Cores meet that differ in their places on `axes` only; the last of these
/// counts fastest. The order of all cores is that of the grid, unless pieces
/// are in another one.
static void addGroups(CoreMeeting &meeting, const Grid &grid,
                      ArrayRef<shard::GridAxis> axes) {
  if (axes.size() == grid.shape.size() &&
      (llvm::is_sorted(axes) || meeting.kind == Kind::AllReduce))
    return;
  meeting.cores = 1;
  for (shard::GridAxis axis : axes)
    meeting.cores *= grid.shape[axis];
  auto isFirst = [&](int64_t core) {
    return llvm::all_of(axes,
                        [&](auto axis) { return !grid.place(core, axis); });
  };
  for (int64_t first = 0; first < grid.cores(); ++first) {
    if (!isFirst(first))
      continue;
    for (int64_t number = 0; number < meeting.cores; ++number) {
      int64_t core = first, rest = number;
      for (shard::GridAxis axis : llvm::reverse(axes)) {
        core = grid.moved(core, axis, rest % grid.shape[axis]);
        rest /= grid.shape[axis];
      }
      meeting.groups.push_back(core);
    }
  }
}

template <typename Op>
static FailureOr<CoreMeeting> meet(Op op, Kind kind, SymbolTable &symbols,
                                   SmallVector<int64_t, 2> dims) {
  FailureOr<Grid> grid = findGrid(op, symbols);
  if (failed(grid) || failed(verifyTypes(op, kind)) ||
      failed(verifyDims(op, dims)))
    return failure();
  CoreMeeting meeting = makeMeeting(op, kind, *grid);
  addGroups(meeting, *grid, op.getGridAxes());
  meeting.dims = std::move(dims);
  return meeting;
}

template <typename Op>
static FailureOr<CoreMeeting> reduce(Op op, Kind kind, SymbolTable &symbols,
                                     SmallVector<int64_t, 2> dims = {}) {
  std::optional<ReduceFunction> function = functionOf(op.getReduction());
  if (!function)
    return op->emitOpError("reduces by ")
           << shard::stringifyReductionKind(op.getReduction())
           << ", but cores reduce by sum, product, max or min";
  FailureOr<CoreMeeting> meeting = meet(op, kind, symbols, std::move(dims));
  if (succeeded(meeting))
    meeting->function = *function;
  return meeting;
}

/// A tensor has one source, whatever axes it moves along: groups need not be
/// told.
template <typename Op>
static FailureOr<CoreMeeting>
permute(Op op, const Grid &grid,
        llvm::function_ref<int64_t(int64_t core)> findSource) {
  if (failed(verifyTypes(op, Kind::Permute)))
    return failure();
  CoreMeeting meeting = makeMeeting(op, Kind::Permute, grid);
  for (int64_t core = 0; core < meeting.cores; ++core)
    meeting.sources.push_back(findSource(core));
  return meeting;
}

/// What the core at place i of the axis has goes to the one at i + offset.
static FailureOr<CoreMeeting> shift(shard::ShiftOp op, SymbolTable &symbols) {
  FailureOr<Grid> grid = findGrid(op, symbols);
  if (failed(grid))
    return failure();
  const uint64_t axis = op.getShiftAxis().getZExtValue();
  if (axis >= grid->shape.size() ||
      !llvm::is_contained(op.getGridAxes(), int64_t(axis)))
    return op.emitOpError("shifts along axis ")
           << axis << ", which grid_axes does not name";
  const int64_t size = grid->shape[axis], offset = op.getOffset();
  const bool isShort = offset > -size && offset < size;
  return permute(op, *grid, [&](int64_t core) -> int64_t {
    const int64_t from = grid->place(core, axis) - offset % size;
    const bool isInside = isShort && from >= 0 && from < size;
    return isInside || op.getRotate()
               ? grid->moved(core, axis, (from + size) % size)
               : -1;
  });
}

static FailureOr<CoreMeeting> broadcast(shard::BroadcastOp op,
                                        SymbolTable &symbols) {
  FailureOr<Grid> grid = findGrid(op, symbols);
  if (failed(grid) || failed(verifyRoot(op, *grid, op.getRootDynamic())))
    return failure();
  return permute(op, *grid, [&](int64_t core) {
    for (auto [axis, place] : llvm::zip_equal(op.getGridAxes(), op.getRoot()))
      core = grid->moved(core, axis, place);
    return core;
  });
}

template <typename Op>
static LogicalResult verifyRooted(Op op, SymbolTable &symbols) {
  FailureOr<Grid> grid = findGrid(op, symbols);
  return failure(failed(grid) ||
                 failed(verifyRoot(op, *grid, op.getRootDynamic())));
}

FailureOr<CoreMeeting> trn::describeMeeting(Operation *op,
                                            SymbolTable &symbols) {
  using Described = FailureOr<CoreMeeting>;
  return TypeSwitch<Operation *, Described>(op)
      .Case([&](shard::AllReduceOp op) {
        return reduce(op, Kind::AllReduce, symbols);
      })
      .Case([&](shard::ReduceOp op) -> Described {
        if (failed(verifyRooted(op, symbols)))
          return failure();
        return reduce(op, Kind::AllReduce, symbols);
      })
      .Case([&](shard::ReduceScatterOp op) {
        return reduce(op, Kind::ReduceScatter, symbols,
                      {op.getScatterAxis().getSExtValue()});
      })
      .Case([&](shard::AllGatherOp op) {
        return meet(op, Kind::AllGather, symbols,
                    {op.getGatherAxis().getSExtValue()});
      })
      .Case([&](shard::GatherOp op) -> Described {
        if (failed(verifyRooted(op, symbols)))
          return failure();
        return meet(op, Kind::AllGather, symbols,
                    {op.getGatherAxis().getSExtValue()});
      })
      .Case([&](shard::AllToAllOp op) {
        return meet(op, Kind::AllToAll, symbols,
                    {op.getSplitAxis().getSExtValue(),
                     op.getConcatAxis().getSExtValue()});
      })
      .Case([&](shard::ShiftOp op) { return shift(op, symbols); })
      .Case([&](shard::BroadcastOp op) { return broadcast(op, symbols); })
      .Case<shard::SendOp, shard::RecvOp>([](auto op) {
        return op->emitOpError("is for some cores, but all run the same "
                               "kernels; in a shift each sends to the next "
                               "one, or to none");
      })
      .Default([](Operation *op) {
        return op->emitOpError("has no instruction of cores");
      });
}

FailureOr<Operation *> trn::rewriteScatter(Operation *op,
                                           SymbolTable &symbols) {
  auto scatter = cast<shard::ScatterOp>(op);
  FailureOr<Grid> grid = findGrid(scatter, symbols);
  if (failed(grid) ||
      failed(verifyRoot(scatter, *grid, scatter.getRootDynamic())) ||
      failed(verifyTypes(scatter, Kind::AllToAll)) ||
      failed(verifyDims(scatter, scatter.getScatterAxis().getSExtValue())))
    return failure();
  int64_t root = 0; // by its number in its group
  for (auto [axis, place] :
       llvm::zip_equal(scatter.getGridAxes(), scatter.getRoot()))
    root = root * grid->shape[axis] + place;
  OpBuilder builder(op);
  const APInt axis = scatter.getScatterAxis();
  auto type = cast<RankedTensorType>(scatter.getType());
  auto pieces = shard::AllToAllOp::create(
      builder, op->getLoc(), scatter.getInput().getType(), scatter.getGrid(),
      scatter.getGridAxes(), scatter.getInput(), axis, axis);
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      ones(type.getRank(), builder.getIndexAttr(1));
  const int64_t dim = axis.getSExtValue();
  offsets[dim] = builder.getIndexAttr(root * type.getDimSize(dim));
  scatter.replaceAllUsesWith(
      tensor::ExtractSliceOp::create(
          builder, op->getLoc(), type, pieces, offsets,
          getAsIndexOpFoldResult(op->getContext(), type.getShape()), ones)
          .getResult());
  op->erase();
  return pieces.getOperation();
}
