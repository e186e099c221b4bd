//===- Passes.h - Conversions to the trn dialect ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_CONVERSION_PASSES_H
#define TRN_CONVERSION_PASSES_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::trn {

#define GEN_PASS_DECL
#include "trn/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Conversion/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_CONVERSION_PASSES_H
