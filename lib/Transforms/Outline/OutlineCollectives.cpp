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

#include "CoreMeeting.h"
#include "trn/Analysis/CoreIndex.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Lower/DeclareKernel.h"
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
class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols), builder(func.getContext()) {}

  LogicalResult outline(Operation *op);

private:
  func::FuncOp getKernel(Location loc, const CoreMeeting &meeting);
  void emitBody(func::FuncOp kernel, const CoreMeeting &meeting);

  func::FuncOp func;
  SymbolTable &symbols;
  OpBuilder builder;
  std::vector<std::pair<CoreMeeting, func::FuncOp>> kernels;
};
} // namespace

static StringRef nameOf(CoreMeeting::Kind kind) {
  switch (kind) {
  case CoreMeeting::Kind::AllReduce:
    return "all_reduce";
  case CoreMeeting::Kind::AllGather:
    return "all_gather";
  case CoreMeeting::Kind::ReduceScatter:
    return "reduce_scatter";
  case CoreMeeting::Kind::AllToAll:
    return "all_to_all";
  case CoreMeeting::Kind::Permute:
    return "collective_permute";
  }
  llvm_unreachable("unknown kind");
}

void Outliner::emitBody(func::FuncOp kernel, const CoreMeeting &meeting) {
  Location loc = kernel.getLoc();
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  Value from = kernel.getArgument(0), to = kernel.getArgument(1);
  ArrayRef<int64_t> dims = meeting.dims;
  switch (meeting.kind) {
  case CoreMeeting::Kind::AllReduce:
    AllReduceOp::create(builder, loc, from, to, meeting.cores, meeting.function,
                        meeting.groups);
    break;
  case CoreMeeting::Kind::AllGather:
    AllGatherOp::create(builder, loc, from, to, dims[0], meeting.cores,
                        meeting.groups);
    break;
  case CoreMeeting::Kind::ReduceScatter:
    ReduceScatterOp::create(builder, loc, from, to, dims[0], meeting.cores,
                            meeting.function, meeting.groups);
    break;
  case CoreMeeting::Kind::AllToAll:
    AllToAllOp::create(builder, loc, from, to, dims[0], dims[1], meeting.cores,
                       meeting.groups);
    break;
  case CoreMeeting::Kind::Permute:
    CollectivePermuteOp::create(builder, loc, from, to, meeting.sources);
    break;
  }
  func::ReturnOp::create(builder, loc);
}

func::FuncOp Outliner::getKernel(Location loc, const CoreMeeting &meeting) {
  for (const auto &[other, kernel] : kernels)
    if (other == meeting)
      return kernel;
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  std::string name = (func.getSymName() + "_" + nameOf(meeting.kind)).str();
  Type types[] = {meeting.from, meeting.to};
  func::FuncOp kernel = declareKernel(builder, loc, name, types, /*results=*/1);
  emitBody(kernel, meeting);
  symbols.insert(kernel);
  kernels.emplace_back(meeting, kernel);
  return kernel;
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
  if (isa<shard::ScatterOp>(op)) {
    FailureOr<Operation *> exchange = rewriteScatter(op, symbols);
    if (failed(exchange))
      return failure();
    op = *exchange;
  }
  FailureOr<CoreMeeting> meeting = describeMeeting(op, symbols);
  if (failed(meeting))
    return failure();
  if (meeting->movesNothing()) {
    op->replaceAllUsesWith(ValueRange{op->getOperand(0)});
    op->erase();
    return success();
  }
  Location loc = op->getLoc();
  func::FuncOp kernel = getKernel(loc, *meeting);
  builder.setInsertionPoint(op);
  Value from = bufferization::ToBufferOp::create(
      builder, loc, meeting->from, op->getOperand(0), /*read_only=*/true);
  Value to = memref::AllocOp::create(builder, loc, meeting->to);
  func::CallOp::create(builder, loc, kernel, ValueRange{from, to});
  Value met = bufferization::ToTensorOp::create(
      builder, loc, op->getResult(0).getType(), to, /*restrict=*/true);
  op->replaceAllUsesWith(ValueRange{met});
  op->erase();
  sliceFirst(met);
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
        if (isa<shard::ShardDialect>(op->getDialect()) && op->hasAttr("grid") &&
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
