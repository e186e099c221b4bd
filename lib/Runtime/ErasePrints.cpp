//===- ErasePrints.cpp - Runs that print nothing --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/ErasePrints.h"

#include "HostPrints.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::trn;

void mlir::trn::erasePrints(ModuleOp module) {
  SmallVector<Operation *> calls;
  module.walk([&](Operation *op) {
    if (callsPrint(op))
      calls.push_back(op);
  });
  for (Operation *call : calls) {
    Operation *cast = call->getOperand(0).getDefiningOp();
    call->erase();
    if (cast && isOpTriviallyDead(cast))
      cast->erase();
  }
}
