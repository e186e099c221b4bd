//===- Kernel.cpp - Which functions are kernels ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Kernel.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"

bool mlir::trn::isKernel(Operation *function) {
  return function->hasAttr(TrnDialect::KernelAttrHelper::getNameStr());
}
