//===- HostCode.cpp - The code around kernels -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/HostCode.h"

#include "HostPrints.h"
#include "trn/Analysis/CoreIndex.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Transforms.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Interfaces/VectorInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace mlir::trn;

/// What is below memrefs and their likes cannot be checked as it runs.
static LogicalResult verifyNoLLVM(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) -> WalkResult {
    StringRef dialect = op->getName().getDialectNamespace();
    // Transfers are checked.
    bool isUnchecked = dialect == "vector" &&
                       !isa<VectorTransferOpInterface>(op) &&
                       llvm::any_of(op->getOperandTypes(),
                                    llvm::IsaPred<BaseMemRefType, TensorType>);
    if (dialect != "llvm" && !isUnchecked)
      return WalkResult::advance();
    return op->emitOpError("is below host code, which is checked as it runs; "
                           "use arith, memref and the like");
  });
  return failure(result.wasInterrupted());
}

/// What `op` writes: for a kernel, what it is to write.
static SmallVector<Value> getWritten(Operation *op, func::FuncOp callee) {
  SmallVector<Value> written;
  if (callee && isKernel(callee)) {
    StringRef result = TrnDialect::ResultAttrHelper::getNameStr();
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (callee.getArgAttr(index, result))
        written.push_back(operand);
  } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> instances;
    effects.getEffects(instances);
    for (const MemoryEffects::EffectInstance &effect : instances)
      if (effect.getValue() && isa<MemoryEffects::Write>(effect.getEffect()))
        written.push_back(effect.getValue());
  }
  return written;
}

/// Bufferization believes `read_only`, so that a write would change a tensor.
static LogicalResult verifyWrites(Operation *op, func::FuncOp callee) {
  for (Value value : getWritten(op, callee)) {
    while (auto view = value.getDefiningOp<ViewLikeOpInterface>())
      value = view.getViewSource();
    auto buffer = value.getDefiningOp<bufferization::ToBufferOp>();
    if (!buffer || !buffer.getReadOnly())
      continue;
    InFlightDiagnostic diagnostic =
        op->emitOpError("writes a buffer of a tensor that is taken read_only");
    diagnostic.attachNote(buffer.getLoc()) << "taken here";
    return diagnostic;
  }
  return success();
}

/// Which function mentions which other ones.
using Mentions = DenseMap<Operation *, llvm::SetVector<Operation *>>;

/// Nothing would end a recursion that does not look at values. A mention may
/// be a call through a value.
static LogicalResult verifyNoRecursion(const HostCode &code,
                                       Mentions mentions) {
  // Functions that mention none that is left are no part of a cycle.
  Mentions mentionedBy;
  SmallVector<Operation *> done;
  for (func::FuncOp func : code.functions) {
    for (Operation *callee : mentions[func])
      mentionedBy[callee].insert(func);
    if (mentions[func].empty())
      done.push_back(func);
  }
  size_t count = 0;
  for (; count < done.size(); ++count)
    for (Operation *caller : mentionedBy[done[count]]) {
      mentions[caller].remove(done[count]);
      if (mentions[caller].empty())
        done.push_back(caller);
    }
  if (count == code.functions.size())
    return success();
  // From anything that is left, mentions lead into a cycle.
  llvm::SmallPtrSet<Operation *, 8> seen;
  Operation *func = *llvm::find_if(
      code.functions, [&](func::FuncOp f) { return !mentions[f].empty(); });
  while (seen.insert(func).second)
    func = mentions[func].front();
  return func->emitOpError("calls itself, directly or through others, but host "
                           "code does not recurse");
}

/// What is referred to can be run, and kernels are called where they stand.
static LogicalResult verifyUse(Operation *user, func::FuncOp callee,
                               bool isRun) {
  bool isExternal =
      callee.isExternal() && !callsPrint(user) && (isRun || isKernel(callee));
  if (!isExternal && (!isKernel(callee) || isa<func::CallOp>(user)))
    return success();
  InFlightDiagnostic diagnostic = user->emitOpError();
  if (isExternal)
    diagnostic << "calls @" << callee.getSymName()
               << ", which has no body to run";
  else
    diagnostic << "refers to kernel @" << callee.getSymName()
               << ", but host code only calls kernels, by func.call";
  diagnostic.attachNote(callee.getLoc()) << "declared here";
  return diagnostic;
}

FailureOr<HostCode> mlir::trn::collectHostCode(func::FuncOp entry, bool isRun) {
  HostCode code;
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> found;
  Mentions mentions;
  auto reach = [&](func::FuncOp func) {
    if (found.insert(func))
      (isKernel(func) ? code.kernels : code.functions).push_back(func);
  };
  reach(entry);
  // `functions` grows while it is visited.
  for (size_t next = 0; next < code.functions.size(); ++next) {
    func::FuncOp func = code.functions[next];
    // host_c1, host_c2
    if (failed(verifyHostCode(func)) || (isRun && failed(verifyNoLLVM(func))))
      return failure();
    std::optional<SymbolTable::UseRange> uses =
        SymbolTable::getSymbolUses(func);
    if (!uses)
      return func.emitOpError("holds operations that are not known");
    for (const SymbolTable::SymbolUse &use : *uses) {
      auto callee = symbols.lookupNearestSymbolFrom<func::FuncOp>(
          func, use.getSymbolRef());
      if (!callee)
        continue;
      if (failed(verifyUse(use.getUser(), callee, isRun)))
        return failure();
      if (callee.isExternal())
        continue;
      reach(callee);
      if (!isKernel(callee))
        mentions[func].insert(callee);
    }
    if (!isRun)
      continue;
    WalkResult writes = func.walk([&](Operation *op) -> WalkResult {
      auto call = dyn_cast<func::CallOp>(op);
      return verifyWrites(op,
                          call ? symbols.lookupNearestSymbolFrom<func::FuncOp>(
                                     call, call.getCalleeAttr())
                               : func::FuncOp());
    });
    if (writes.wasInterrupted())
      return failure();
  }
  if (failed(verifyNoRecursion(code, std::move(mentions))))
    return failure();
  return code;
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
