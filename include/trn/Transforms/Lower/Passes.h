//===- Passes.h - From planned kernels to instructions ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_LOWER_PASSES_H
#define TRN_TRANSFORMS_LOWER_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::trn {

#define GEN_PASS_DECL
#include "trn/Transforms/Lower/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Transforms/Lower/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_LOWER_PASSES_H
