//===- TransposesInPsum.cpp - Types of transposed tiles -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposesInPsum.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

TransposesInPsum::TransposesInPsum(const KernelReading &kernel,
                                   func::FuncOp function) {
  llvm::DenseSet<Value> others;
  function.walk([&](DestinationStyleOpInterface op) {
    if (!isInstruction(op))
      return;
    for (OpOperand &written : op.getDpsInitsMutable()) {
      const Tensor &tensor = kernel.tensorOf(kernel.access(written.get(), op));
      if (tensor.space() != MemorySpace::Psum)
        continue;
      auto transpose = dyn_cast<TransposeOp>(*op);
      Type type =
          transpose ? transpose.getSrc().getType().getElementType() : Type();
      auto [known, isNew] = types.insert({tensor.value, type});
      if (!type || (!isNew && known->second != type))
        others.insert(tensor.value);
    }
  });
  for (Value tile : others)
    types.erase(tile);
}
