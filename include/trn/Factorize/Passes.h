//===- Passes.h - Weights to factors ----------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not part of `registerAllPasses`: they need OpenBLAS and LAPACK, and nothing
// else of the compiler does.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_FACTORIZE_PASSES_H
#define TRN_FACTORIZE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::trn {

#define GEN_PASS_DECL
#include "trn/Factorize/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Factorize/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_FACTORIZE_PASSES_H
