//===- Passes.h - From virtual to placed programs ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_TRANSFORMS_PASSES_H
#define TRN_DIALECT_TRN_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::trn {

/// The levels of compilation that `trn-verify-level` checks.
enum class Level { Tensor, Virtual, Placed };

#define GEN_PASS_DECL
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_TRANSFORMS_PASSES_H
