//===- TraceCalls.cpp - The order of kernel calls -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Timing needs the calls of kernels and which of them share memory, no values.
// The walk follows calls, loops with constant bounds and conditions that are
// constant on a core; a memref or tensor is told from others by the value that
// it comes from, through views and reshapes.
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/TraceCalls.h"

#include "trn/Analysis/ControlFlow.h"
#include "trn/Analysis/CoreIndex.h"
#include "trn/Analysis/HostOps.h"
#include "trn/Analysis/Views.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Program/Launch.h"
#include "trn/Support/HostTensor.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::trn;

/// A trace longer than this is a loop that nobody waits for.
static constexpr size_t maxCalls = 1 << 20;

namespace {
/// Memory, and the byte at which a tensor or a memref begins in it.
struct Place {
  uintptr_t memory = 0;
  int64_t offset = 0;
};

class CallTracer {
public:
  CallTracer(func::FuncOp entry, ArrayRef<func::FuncOp> traced, int64_t core)
      : core(core) {
    for (auto [index, kernel] : llvm::enumerate(traced))
      kernels[kernel] = index;
    for (const HostOp &found : findHostOps(entry))
      if (!found.isLoad)
        hostOps.insert(found.op);
  }

  LogicalResult traceFunction(func::FuncOp func, ArrayRef<Place> arguments,
                              SmallVectorImpl<Place> &results);

  SmallVector<RecordedCall> calls;

private:
  LogicalResult traceBlock(Block &block);
  LogicalResult traceOp(Operation &op);
  LogicalResult traceCall(func::CallOp call);
  LogicalResult traceLoop(LoopLikeOpInterface loop);
  LogicalResult traceRegion(RegionBranchOpInterface branch, Region &region);
  bool callsKernel(Operation *op);
  bool callsKernel(func::FuncOp func);
  /// Whether the host waits for what kernels write, or has work of its own.
  bool isWork(Operation &op);

  /// What stands for the memory of `value` at this point of the walk.
  Place identify(Value value) {
    Place &place = places[value];
    if (place.memory == 0)
      place = makePlace();
    return place;
  }
  SmallVector<Place, 6> identify(ValueRange values) {
    return llvm::map_to_vector<6>(values,
                                  [&](Value value) { return identify(value); });
  }
  Place makePlace() { return {++lastMemory, 0}; }
  std::optional<Place> identifyView(Operation &op);

  int64_t core;
  DenseMap<Operation *, size_t> kernels;
  DenseMap<Operation *, bool> reachesKernel;
  DenseSet<Operation *> hostOps;
  DenseSet<Operation *> running; // functions that are followed
  bool followsHost = true;
  DenseMap<Value, Place> places;
  uintptr_t lastMemory = 0;
  SymbolTableCollection symbols;
};
} // namespace

bool CallTracer::callsKernel(func::FuncOp func) {
  if (kernels.contains(func))
    return true;
  auto [it, inserted] = reachesKernel.try_emplace(func, false);
  if (!inserted)
    return it->second;
  bool reaches = callsKernel(func.getOperation());
  reachesKernel[func] = reaches;
  return reaches;
}

bool CallTracer::callsKernel(Operation *op) {
  return op
      ->walk([&](func::CallOp call) {
        auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
            call, call.getCalleeAttr());
        return callee && callsKernel(callee) ? WalkResult::interrupt()
                                             : WalkResult::advance();
      })
      .wasInterrupted();
}

LogicalResult CallTracer::traceFunction(func::FuncOp func,
                                        ArrayRef<Place> arguments,
                                        SmallVectorImpl<Place> &results) {
  // An error is no reason to look further, so nothing is taken out then.
  if (!running.insert(func).second)
    return func.emitOpError("calls itself, directly or through others, but "
                            "timing needs calls of kernels that end");
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("branches, but timing needs calls of kernels in an "
                            "order that does not depend on values");
  for (auto [argument, place] : llvm::zip_equal(func.getArguments(), arguments))
    places[argument] = place;
  Block &body = func.getBody().front();
  if (failed(traceBlock(body)))
    return failure();
  results = identify(body.getTerminator()->getOperands());
  running.erase(func);
  return success();
}

LogicalResult CallTracer::traceBlock(Block &block) {
  for (Operation &op : block)
    if (failed(traceOp(op)))
      return failure();
  return success();
}

bool CallTracer::isWork(Operation &op) {
  return op
      .walk([&](Operation *nested) {
        bool isCall = isa<func::CallOp>(nested); // it calls no kernel
        bool isRead = isa<tensor::ExtractOp, memref::LoadOp>(nested);
        return isCall || isRead || hostOps.contains(nested)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// The bytes of a type with a static shape.
static std::optional<int64_t> countBytes(Type type) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasStaticShape() ||
      !shaped.getElementType().isIntOrFloat())
    return std::nullopt;
  std::optional<int64_t> count = countElements(shaped.getShape());
  return count
             ? llvm::checkedMul<int64_t>(
                   *count, llvm::divideCeil(shaped.getElementTypeBitWidth(), 8))
             : std::nullopt;
}

/// The bytes of its source before a slice whose rows lie behind each other.
static std::optional<int64_t> countBytesBefore(tensor::ExtractSliceOp slice) {
  std::optional<int64_t> bytes = countBytes(slice.getSourceType());
  if (!bytes || llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic))
    return std::nullopt;
  int64_t before = 0;
  for (auto [size, offset] : llvm::zip_equal(slice.getSourceType().getShape(),
                                             slice.getStaticOffsets())) {
    *bytes /= std::max<int64_t>(size, 1);
    before += offset * *bytes;
  }
  return before;
}

/// Where the result of `op` is, if it is a view of the first operand.
std::optional<Place> CallTracer::identifyView(Operation &op) {
  if (!isView(&op))
    return std::nullopt;
  Place place = identify(op.getOperand(0));
  if (place.offset == unknownOffset)
    return place;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    std::optional<int64_t> before = countBytesBefore(slice);
    place.offset = before ? place.offset + *before : unknownOffset;
  } else if (isa<memref::ReinterpretCastOp, memref::SubViewOp, memref::ViewOp>(
                 op)) {
    std::optional<int64_t> bytes = countBytes(op.getResult(0).getType());
    if (!bytes || bytes != countBytes(op.getOperand(0).getType()))
      place.offset = unknownOffset;
  }
  return place;
}

LogicalResult CallTracer::traceOp(Operation &op) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return traceCall(call);
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    return traceLoop(loop);
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    SmallVector<RegionSuccessor> entries = findEntries(branch, core);
    if (Region *region =
            entries.size() == 1 ? entries[0].getSuccessor() : nullptr)
      return traceRegion(branch, *region);
    if (entries.size() == 1 && op.getNumResults() == 0)
      return success();
  }
  if (op.getNumRegions() != 0 && callsKernel(&op))
    return op.emitOpError("decides about a call of a kernel, but timing needs "
                          "calls in an order that does not depend on values");
  followsHost |= isWork(op);
  std::optional<Place> view = identifyView(op);
  for (Value result : op.getResults())
    places[result] = view ? *view : makePlace();
  return success();
}

LogicalResult CallTracer::traceCall(func::CallOp call) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  SmallVector<Place, 6> arguments = identify(call.getOperands());
  if (auto kernel = kernels.find(callee); kernel != kernels.end()) {
    if (calls.size() == maxCalls)
      return call.emitOpError("is call number ")
             << maxCalls + 1 << " of a kernel, but at most " << maxCalls
             << " are timed";
    calls.push_back(
        {kernel->second,
         llvm::map_to_vector<6>(arguments, [](Place at) { return at.memory; }),
         llvm::map_to_vector<6>(arguments, [](Place at) { return at.offset; }),
         followsHost});
    followsHost = false;
    return success();
  }
  SmallVector<Place> results;
  if (callsKernel(callee)) {
    if (failed(traceFunction(callee, arguments, results)))
      return failure();
  } else {
    followsHost = true;
    for (unsigned i = 0; i != call.getNumResults(); ++i)
      results.push_back(makePlace());
  }
  for (auto [result, place] : llvm::zip_equal(call.getResults(), results))
    places[result] = place;
  return success();
}

LogicalResult CallTracer::traceLoop(LoopLikeOpInterface loop) {
  bool matters = callsKernel(loop);
  followsHost |= !matters && isWork(*loop);
  std::optional<int64_t> count = countIterations(loop);
  if (matters && !count)
    return loop->emitOpError("runs a number of times that is not constant, but "
                             "timing needs calls of kernels in an order that "
                             "does not depend on values");
  // Shared outputs of parallel iterations are carried, too, but not yielded.
  SmallVector<Place, 6> carried = identify(loop.getInits());
  bool yields = loop.getYieldedValues().size() == carried.size();
  for (int64_t iteration = 0; matters && iteration < *count; ++iteration) {
    for (auto [argument, place] : llvm::zip(loop.getRegionIterArgs(), carried))
      places[argument] = place;
    for (Region *region : loop.getLoopRegions())
      if (failed(traceBlock(region->front())))
        return failure();
    if (yields)
      carried = identify(loop.getYieldedValues());
  }
  for (auto [index, result] : llvm::enumerate(loop->getResults()))
    places[result] = matters && yields ? carried[index] : makePlace();
  return success();
}

LogicalResult CallTracer::traceRegion(RegionBranchOpInterface branch,
                                      Region &region) {
  if (failed(traceBlock(region.front())))
    return failure();
  SmallVector<Place, 6> yielded =
      identify(region.front().getTerminator()->getOperands());
  for (auto [result, place] : llvm::zip_equal(branch->getResults(), yielded))
    places[result] = place;
  return success();
}

FailureOr<SmallVector<RecordedCall>>
mlir::trn::traceCalls(func::FuncOp entry, ArrayRef<func::FuncOp> kernels,
                      int64_t core) {
  CallTracer tracer(entry, kernels, core);
  SmallVector<Place> arguments, results;
  for (unsigned i = 0; i != entry.getNumArguments(); ++i)
    arguments.push_back({uintptr_t(1) << 32 | i}); // no value's number
  if (isKernel(entry))
    return SmallVector<RecordedCall>{
        {0, llvm::map_to_vector<6>(arguments,
                                   [](Place at) { return at.memory; })}};
  if (failed(tracer.traceFunction(entry, arguments, results)))
    return failure();
  return std::move(tracer.calls);
}
