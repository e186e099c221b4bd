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
// it comes from.
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/HostCode.h"

#include "trn/Analysis/ControlFlow.h"
#include "trn/Analysis/CoreIndex.h"
#include "trn/Analysis/HostOps.h"
#include "trn/Dialect/Trn/IR/Kernel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::trn;

/// A trace longer than this is a loop that nobody waits for.
static constexpr size_t maxCalls = 1 << 20;

namespace {
class CallTracer {
public:
  CallTracer(func::FuncOp entry, const HostCode &code, int64_t core)
      : core(core) {
    for (auto [index, kernel] : llvm::enumerate(code.kernels))
      kernels[kernel] = index;
    for (const HostOp &found : findHostOps(entry))
      if (!found.isLoad)
        hostOps.insert(found.op);
  }

  LogicalResult traceFunction(func::FuncOp func, ArrayRef<uintptr_t> arguments,
                              SmallVectorImpl<uintptr_t> &results);

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
  uintptr_t identify(Value value) {
    uintptr_t &identity = identities[value];
    if (identity == 0)
      identity = ++lastIdentity;
    return identity;
  }
  SmallVector<uintptr_t, 6> identify(ValueRange values) {
    return llvm::map_to_vector<6>(values,
                                  [&](Value value) { return identify(value); });
  }

  int64_t core;
  DenseMap<Operation *, size_t> kernels;
  DenseMap<Operation *, bool> reachesKernel;
  DenseSet<Operation *> hostOps;
  bool followsHost = true;
  DenseMap<Value, uintptr_t> identities;
  uintptr_t lastIdentity = 0;
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
                                        ArrayRef<uintptr_t> arguments,
                                        SmallVectorImpl<uintptr_t> &results) {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("branches, but timing needs calls of kernels in an "
                            "order that does not depend on values");
  for (auto [argument, identity] :
       llvm::zip_equal(func.getArguments(), arguments))
    identities[argument] = identity;
  Block &body = func.getBody().front();
  if (failed(traceBlock(body)))
    return failure();
  results = identify(body.getTerminator()->getOperands());
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
  bool isAlias = isa<ViewLikeOpInterface, bufferization::ToBufferOp,
                     bufferization::ToTensorOp>(op) &&
                 op.getNumResults() == 1;
  for (Value result : op.getResults())
    identities[result] = isAlias ? identify(op.getOperand(0)) : ++lastIdentity;
  return success();
}

LogicalResult CallTracer::traceCall(func::CallOp call) {
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  SmallVector<uintptr_t, 6> arguments = identify(call.getOperands());
  if (auto kernel = kernels.find(callee); kernel != kernels.end()) {
    if (calls.size() == maxCalls)
      return call.emitOpError("is call number ")
             << maxCalls + 1 << " of a kernel, but at most " << maxCalls
             << " are timed";
    calls.push_back({kernel->second, std::move(arguments), followsHost});
    followsHost = false;
    return success();
  }
  SmallVector<uintptr_t> results;
  if (callsKernel(callee)) {
    if (failed(traceFunction(callee, arguments, results)))
      return failure();
  } else {
    followsHost = true;
    for (unsigned i = 0; i != call.getNumResults(); ++i)
      results.push_back(++lastIdentity);
  }
  for (auto [result, identity] : llvm::zip_equal(call.getResults(), results))
    identities[result] = identity;
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
  SmallVector<uintptr_t, 6> carried = identify(loop.getInits());
  bool yields = loop.getYieldedValues().size() == carried.size();
  for (int64_t iteration = 0; matters && iteration < *count; ++iteration) {
    for (auto [argument, identity] :
         llvm::zip(loop.getRegionIterArgs(), carried))
      identities[argument] = identity;
    for (Region *region : loop.getLoopRegions())
      if (failed(traceBlock(region->front())))
        return failure();
    if (yields)
      carried = identify(loop.getYieldedValues());
  }
  for (auto [index, result] : llvm::enumerate(loop->getResults()))
    identities[result] = matters && yields ? carried[index] : ++lastIdentity;
  return success();
}

LogicalResult CallTracer::traceRegion(RegionBranchOpInterface branch,
                                      Region &region) {
  if (failed(traceBlock(region.front())))
    return failure();
  SmallVector<uintptr_t, 6> yielded =
      identify(region.front().getTerminator()->getOperands());
  for (auto [result, identity] : llvm::zip_equal(branch->getResults(), yielded))
    identities[result] = identity;
  return success();
}

bool mlir::trn::asksForCore(const HostCode &code) {
  return llvm::any_of(code.functions, [](func::FuncOp func) {
    return func
        .walk([](Operation *op) {
          return asksForCore(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
        })
        .wasInterrupted();
  });
}

FailureOr<SmallVector<RecordedCall>>
mlir::trn::traceCalls(func::FuncOp entry, const HostCode &code, int64_t core) {
  CallTracer tracer(entry, code, core);
  SmallVector<uintptr_t> arguments, results;
  for (unsigned i = 0; i != entry.getNumArguments(); ++i)
    arguments.push_back(uintptr_t(1) << 32 | i); // no value's number
  if (isKernel(entry))
    return SmallVector<RecordedCall>{
        {0, SmallVector<uintptr_t, 6>(arguments.begin(), arguments.end())}};
  if (failed(tracer.traceFunction(entry, arguments, results)))
    return failure();
  return std::move(tracer.calls);
}
