//===- Generate.h - Make modules from sizes -----------------------*- C -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The rules for all functions are in Module.h.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_C_GENERATE_H
#define TRN_C_GENERATE_H

#include "trn-c/Array.h"

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Passes a module to `text`. Its function `@main` computes the chain
/// `X[m, k] U[k, r] V[r, n]` or, if `r` is 0, the product `X[m, k] W[k, n]`, of
/// a float type.
MLIR_CAPI_EXPORTED MlirLogicalResult
trnGenerateChain(int64_t m, int64_t k, int64_t r, int64_t n,
                 TrnElementType type, MlirStringCallback text, void *textData,
                 MlirStringCallback diagnostics, void *diagnosticsData);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_GENERATE_H
