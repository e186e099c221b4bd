//===- HostCode.cpp - The code around kernels -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/HostCode.h"

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Analysis/CallGraph.h"
#include "llvm/ADT/SCCIterator.h"

using namespace mlir;
using namespace mlir::trn;

static bool isOnTheCore(Type type) {
  auto memref = dyn_cast<BaseMemRefType>(type);
  return memref && isa_and_present<MemorySpaceAttr>(memref.getMemorySpace());
}

/// Host code runs on the host: no instructions, no memory of the core.
static LogicalResult verifyHostCode(func::FuncOp func) {
  WalkResult result = func.walk([](Operation *op) {
    if (op->getName().getDialectNamespace() ==
        TrnDialect::getDialectNamespace()) {
      op->emitOpError("is outside of a kernel, but only functions with "
                      "trn.kernel run on the core");
      return WalkResult::interrupt();
    }
    auto isForeign = [](Type type) { return isOnTheCore(type); };
    bool usesCore = llvm::any_of(op->getResultTypes(), isForeign);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        usesCore |= llvm::any_of(block.getArgumentTypes(), isForeign);
    if (!usesCore)
      return WalkResult::advance();
    op->emitOpError("uses memory of the core, but the memory of host code has "
                    "no memory space");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// Nothing would end a recursion that does not look at values.
static LogicalResult verifyNoRecursion(ModuleOp module, const HostCode &code) {
  const CallGraph graph(module);
  for (auto scc = llvm::scc_begin(&graph); !scc.isAtEnd(); ++scc) {
    if (!scc.hasCycle())
      continue;
    for (CallGraphNode *node : *scc) {
      auto func = node->isExternal()
                      ? func::FuncOp()
                      : dyn_cast<func::FuncOp>(
                            node->getCallableRegion()->getParentOp());
      if (func && llvm::is_contained(code.functions, func))
        return func.emitOpError("calls itself, directly or through others, "
                                "but host code does not recurse");
    }
  }
  return success();
}

FailureOr<HostCode> mlir::trn::collectHostCode(func::FuncOp entry) {
  HostCode code;
  SymbolTableCollection symbols;
  llvm::SetVector<Operation *> found;
  auto reach = [&](func::FuncOp func) {
    if (found.insert(func))
      (isKernel(func) ? code.kernels : code.functions).push_back(func);
  };
  reach(entry);
  // `functions` grows while it is visited.
  for (size_t next = 0; next < code.functions.size(); ++next) {
    func::FuncOp func = code.functions[next];
    if (failed(verifyHostCode(func)))
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
      if (callee.isExternal()) {
        InFlightDiagnostic diagnostic = use.getUser()->emitOpError("calls @")
                                        << callee.getSymName()
                                        << ", which has no body to run";
        diagnostic.attachNote(callee.getLoc()) << "declared here";
        return diagnostic;
      }
      reach(callee);
    }
  }
  if (failed(verifyNoRecursion(entry->getParentOfType<ModuleOp>(), code)))
    return failure();
  return code;
}
