//===- OutlineCollectives.cpp - Move collectives into kernels -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cores start collectives themselves, as they start kernels: so a collective is
// a kernel of one instruction, and those around it stay in one launch.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/CoreIndex.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Lower/EmitKernel.h"
#include "trn/Transforms/Outline/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/Dialect/Shard/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::trn {
#define GEN_PASS_DEF_OUTLINECOLLECTIVES
#include "trn/Transforms/Outline/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What cores do with a tensor.
struct Meeting {
  Operation *op;
  Value input;
  int64_t cores;
  /// Of AllGather and ReduceScatter.
  int64_t dim = 0;

  Value result() const { return op->getResult(0); }
};

class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols), builder(func.getContext()) {}

  LogicalResult outline(Operation *op);

private:
  FailureOr<Meeting> describe(Operation *op) const;
  template <typename Op>
  FailureOr<Meeting> describe(Op op, int64_t dim) const;
  func::FuncOp getKernel(const Meeting &meeting);
  void emitBody(func::FuncOp kernel, const Meeting &meeting);
  Value toBuffer(Location loc, Value tensor);

  func::FuncOp func;
  SymbolTable &symbols;
  OpBuilder builder;
  /// By what cores do, on which types, along which dimension.
  DenseMap<std::tuple<OperationName, Type, Type, int64_t>, func::FuncOp>
      kernels;
};
} // namespace

static MemRefType toMemRef(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return MemRefType::get(type.getShape(), type.getElementType());
}

/// Of all cores of its grid, or the module is refused.
template <typename Op>
FailureOr<Meeting> Outliner::describe(Op op, int64_t dim) const {
  auto grid = symbols.lookup<shard::GridOp>(op.getGrid());
  if (!grid)
    return op->emitOpError("is on @")
           << op.getGrid() << ", but the module has no such grid";
  if (ShapedType::isDynamicShape(grid.getShape()))
    return op->emitOpError("is on @")
           << op.getGrid() << ", but a program needs the number of its cores";
  if (op.getGridAxes().size() != grid.getShape().size())
    return op->emitOpError("is on some axes of @")
           << op.getGrid()
           << ", but all cores of a grid meet at once; name all in grid_axes";
  auto isPlain = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getRank() > 0 &&
           tensor.getRank() <= 5 && tensor.getNumElements() > 0 &&
           (tensor.getElementType().isF32() ||
            tensor.getElementType().isF16() ||
            tensor.getElementType().isBF16());
  };
  Type from = op.getInput().getType(), to = op.getResult().getType();
  if (!isPlain(from) || !isPlain(to) ||
      getElementTypeOrSelf(from) != getElementTypeOrSelf(to))
    return op->emitOpError("makes ")
           << to << " of " << from
           << ", but cores meet over tensors of 1 to 5 static dimensions and "
              "one type, bf16, f16 or f32";
  return Meeting{op, op.getInput(), ShapedType::getNumElements(grid.getShape()),
                 dim};
}

FailureOr<Meeting> Outliner::describe(Operation *op) const {
  auto isSum = [](shard::ReductionKind kind) {
    return kind == shard::ReductionKind::Sum;
  };
  if (auto reduce = dyn_cast<shard::AllReduceOp>(op);
      reduce && isSum(reduce.getReduction()))
    return describe(reduce, /*dim=*/0);
  if (auto gather = dyn_cast<shard::AllGatherOp>(op))
    return describe(gather, gather.getGatherAxis().getSExtValue());
  if (auto scatter = dyn_cast<shard::ReduceScatterOp>(op);
      scatter && isSum(scatter.getReduction()))
    return describe(scatter, scatter.getScatterAxis().getSExtValue());
  return op->emitOpError("has no instruction: cores sum (all_reduce and "
                         "reduce_scatter of sums), gather (all_gather) and "
                         "take their piece (all_slice)");
}

void Outliner::emitBody(func::FuncOp kernel, const Meeting &meeting) {
  Location loc = meeting.op->getLoc();
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  Value from = kernel.getArgument(0), to = kernel.getArgument(1);
  if (isa<shard::AllReduceOp>(meeting.op))
    AllReduceOp::create(builder, loc, from, to, meeting.cores);
  else if (isa<shard::AllGatherOp>(meeting.op))
    AllGatherOp::create(builder, loc, from, to, meeting.dim, meeting.cores);
  else
    ReduceScatterOp::create(builder, loc, from, to, meeting.dim, meeting.cores);
  func::ReturnOp::create(builder, loc);
}

func::FuncOp Outliner::getKernel(const Meeting &meeting) {
  func::FuncOp &kernel =
      kernels[{meeting.op->getName(), meeting.input.getType(),
               meeting.result().getType(), meeting.dim}];
  if (kernel)
    return kernel;
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  Type types[] = {toMemRef(meeting.input), toMemRef(meeting.result())};
  std::string name =
      (func.getSymName() + "_" + meeting.op->getName().stripDialect()).str();
  kernel = declareKernel(builder, meeting.op->getLoc(), name, types,
                         /*results=*/1);
  emitBody(kernel, meeting);
  symbols.insert(kernel);
  return kernel;
}

Value Outliner::toBuffer(Location loc, Value tensor) {
  return bufferization::ToBufferOp::create(builder, loc, toMemRef(tensor),
                                           tensor, /*read_only=*/true);
}

/// If only a slice is read of what is computed element by element of `tensor`,
/// the slice is taken first. What is computed of it then is of the next kernel,
/// and not between two.
static void sliceFirst(Value tensor) {
  for (Operation *user : llvm::to_vector(tensor.getUsers())) {
    auto op = dyn_cast<linalg::GenericOp>(user);
    if (!op || !op->hasOneUse() || op.hasIndexSemantics() ||
        !llvm::all_of(op.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); }))
      continue;
    auto slice = dyn_cast<tensor::ExtractSliceOp>(*op->user_begin());
    if (!slice || slice.getDroppedDims().any())
      continue;
    OpBuilder builder(slice);
    auto copy = cast<linalg::GenericOp>(builder.clone(*op));
    builder.setInsertionPoint(copy);
    for (OpOperand &operand : copy->getOpOperands())
      operand.set(tensor::ExtractSliceOp::create(
          builder, op.getLoc(), operand.get(), slice.getMixedOffsets(),
          slice.getMixedSizes(), slice.getMixedStrides()));
    copy->getResult(0).setType(slice.getType());
    slice->replaceAllUsesWith(copy);
    slice.erase();
    op.erase();
  }
}

LogicalResult Outliner::outline(Operation *op) {
  FailureOr<Meeting> meeting = describe(op);
  if (failed(meeting))
    return failure();
  Location loc = op->getLoc();
  func::FuncOp kernel = getKernel(*meeting);
  builder.setInsertionPoint(op);
  Value from = toBuffer(loc, meeting->input);
  Value to = memref::AllocOp::create(builder, loc, toMemRef(meeting->result()));
  func::CallOp::create(builder, loc, kernel, ValueRange{from, to});
  Value sum = bufferization::ToTensorOp::create(
      builder, loc, meeting->result().getType(), to, /*restrict=*/true);
  op->replaceAllUsesWith(ValueRange{sum});
  op->erase();
  sliceFirst(sum);
  return success();
}

/// Each core takes its piece of what all have: they exchange nothing.
static LogicalResult takePiece(shard::AllSliceOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  if (!type.hasStaticShape())
    return op.emitOpError("makes ")
           << type << ", but pieces of cores have static sizes";
  ImplicitLocOpBuilder builder(op.getLoc(), op);
  const int64_t axis = op.getSliceAxis().getSExtValue();
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      ones(type.getRank(), builder.getIndexAttr(1));
  if (!op.getGridAxes().empty()) { // else each core is alone
    Value core = shard::createProcessLinearIndex(op.getGrid(), op.getGridAxes(),
                                                 builder);
    Value size = arith::ConstantIndexOp::create(builder, type.getDimSize(axis));
    offsets[axis] = arith::MulIOp::create(builder, core, size).getResult();
  }
  op.replaceAllUsesWith(
      tensor::ExtractSliceOp::create(
          builder, type, op.getInput(), offsets,
          getAsIndexOpFoldResult(op.getContext(), type.getShape()), ones)
          .getResult());
  op.erase();
  return success();
}

/// Nothing here splits tensors that are only marked.
static LogicalResult checkSharded(func::FuncOp func) {
  WalkResult result = func.walk([](shard::ShardOp op) -> WalkResult {
    return op.emitOpError("says how to split a tensor, which nobody has done; "
                          "run sharding-propagation and shard-partition of "
                          "mlir-opt, or request a split by trn.shard and the "
                          "option partition");
  });
  return failure(result.wasInterrupted());
}

/// The number that a fill makes a whole tensor of.
static Attribute getFilling(Value tensor) {
  auto fill = tensor.getDefiningOp<linalg::FillOp>();
  Attribute number;
  return fill && matchPattern(fill.value(), m_Constant(&number)) ? number
                                                                 : Attribute();
}

/// Upstream starts a sum over cores from its initial value on the first one,
/// and from zeros on the others. If that is zero, too, nothing is to decide,
/// and the sum can start within a kernel.
static void foldFills(scf::IfOp branch) {
  if (branch.getNumResults() == 0)
    return;
  for (auto [result, yes, no] :
       llvm::zip_equal(branch.getResults(), branch.thenYield().getOperands(),
                       branch.elseYield().getOperands())) {
    Attribute number = getFilling(yes);
    auto type = dyn_cast<RankedTensorType>(result.getType());
    if (!number || number != getFilling(no) || !type || !type.hasStaticShape())
      continue;
    OpBuilder builder(branch);
    Location loc = yes.getLoc();
    Value value =
        arith::ConstantOp::create(builder, loc, cast<TypedAttr>(number));
    Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                          type.getElementType());
    result.replaceAllUsesWith(
        linalg::FillOp::create(builder, loc, value, empty).getResult(0));
  }
  if (branch->use_empty() && isMemoryEffectFree(branch))
    branch.erase();
}

namespace {
struct OutlineCollectivesPass final
    : trn::impl::OutlineCollectivesBase<OutlineCollectivesPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (failed(checkSharded(func)))
        return signalPassFailure();
      func.walk(foldFills);
      SmallVector<Operation *> found;
      func.walk([&](Operation *op) {
        if (isa<shard::ShardDialect>(op->getDialect()) &&
            op->getNumResults() == 1 && op->hasAttr("grid") &&
            !isa<shard::ShardingOp>(op) && !asksForCore(op))
          found.push_back(op);
      });
      Outliner outliner(func, symbols);
      for (Operation *op : found) {
        auto slice = dyn_cast<shard::AllSliceOp>(op);
        if (failed(slice ? takePiece(slice) : outliner.outline(op)))
          return signalPassFailure();
      }
    }
  }
};
} // namespace
