//===- Passes.h - Passes that print decoded kernels -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_PASSES_H
#define TRN_DECODE_PASSES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::trn {

#define GEN_PASS_DECL
#include "trn/Decode/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Decode/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_DECODE_PASSES_H
