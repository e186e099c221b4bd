//===- CalledFunctions.cpp - What a function reaches ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/CalledFunctions.h"

#include "mlir/Analysis/CallGraph.h"
#include "llvm/ADT/PostOrderIterator.h"

using namespace mlir;
using namespace mlir::trn;

SmallVector<func::FuncOp> mlir::trn::findCalledFunctions(func::FuncOp entry) {
  if (entry.isExternal())
    return {};
  using Traits = llvm::GraphTraits<const CallGraphNode *>;
  using PostOrder =
      llvm::po_iterator<CallGraphNode *, llvm::SmallPtrSet<CallGraphNode *, 8>,
                        /*ExtStorage=*/false, Traits>;
  CallGraph graph(entry->getParentOp());
  CallGraphNode *root = graph.lookupNode(&entry.getBody());
  SmallVector<func::FuncOp> functions;
  for (CallGraphNode *node :
       llvm::make_range(PostOrder::begin(root), PostOrder::end(root)))
    if (!node->isExternal())
      if (auto function =
              dyn_cast<func::FuncOp>(node->getCallableRegion()->getParentOp()))
        functions.push_back(function);
  return {functions.rbegin(), functions.rend()};
}
