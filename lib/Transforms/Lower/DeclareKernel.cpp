//===- DeclareKernel.cpp - Kernels without instructions -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Lower/DeclareKernel.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

using namespace mlir;
using namespace mlir::trn;
using planning::Matrix;

func::FuncOp mlir::trn::declareKernel(OpBuilder &builder, Location loc,
                                      StringRef name, ArrayRef<Type> arguments,
                                      unsigned results) {
  auto kernel = func::FuncOp::create(builder, loc, name,
                                     builder.getFunctionType(arguments, {}));
  kernel.setPrivate();
  auto *dialect = builder.getContext()->getLoadedDialect<TrnDialect>();
  dialect->getKernelAttrHelper().setAttr(kernel, builder.getUnitAttr());
  for (unsigned result = arguments.size() - results; result < arguments.size();
       ++result)
    kernel.setArgAttr(result, dialect->getResultAttrHelper().getName(),
                      builder.getUnitAttr());
  return kernel;
}

func::FuncOp mlir::trn::createKernel(OpBuilder &builder,
                                     const planning::Graph &graph) {
  SmallVector<Type> types;
  unsigned results = 0;
  for (planning::Role role : {planning::Role::Input, planning::Role::Result})
    for (const Matrix &matrix : graph.matrices)
      if (matrix.role == role) {
        types.push_back(
            MemRefType::get(graph.shapeInHbm(matrix),
                            getMatrixType(builder.getContext(), matrix.type)));
        results += role == planning::Role::Result;
      }
  Location loc = builder.getUnknownLoc();
  func::FuncOp kernel = declareKernel(builder, loc, "kernel", types, results);
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  func::ReturnOp::create(builder, loc);
  return kernel;
}
