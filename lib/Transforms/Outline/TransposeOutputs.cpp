//===- TransposeOutputs.cpp - Return transposes of products ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransposeOutputs.h"

#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether `func` may return the transpose of `product`, if it returns it: all
/// who call it must know. Otherwise a remark says what is in the way.
static bool mayTransposeOutput(func::FuncOp func, const Product &product) {
  auto isReturn = llvm::IsaPred<func::ReturnOp>;
  if (product.result.isTransposed ||
      llvm::none_of(product.result.tensor.getUsers(), isReturn))
    return false;
  auto keep = [&](StringRef reason) {
    mlir::emitRemark(func.getLoc(), "function keeps its output layout: ")
        << reason;
    return false;
  };
  if (!product.batches.empty())
    return keep("it returns batches of matrices");
  if (!product.result.tensor.hasOneUse())
    return keep("the product that it returns has other uses");
  if (!llvm::hasSingleElement(func.getOps<func::ReturnOp>()))
    return keep("it returns from several places");
  auto uses = SymbolTable::getSymbolUses(func, func->getParentOp());
  if (!func.isPublic() || !uses || !uses->empty())
    return keep("other code of the module refers to it, or it is private");
  return true;
}

void mlir::trn::transposeOutputs(func::FuncOp func, Products &products) {
  OpBuilder builder(func.getContext());
  for (auto &[key, product] : products) {
    StoredMatrix &result = product.result;
    if (!mayTransposeOutput(func, product))
      continue;
    Value old = result.tensor;
    builder.setInsertionPointAfterValue(old);
    result.tensor = emitTranspose(builder, old.getLoc(), old, {1, 0});
    result.isTransposed = true;
    old.replaceAllUsesExcept(result.tensor, result.tensor.getDefiningOp());
  }
  for (auto ret : func.getOps<func::ReturnOp>())
    func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                   ret.getOperandTypes()));
}
