//===- NKI.h - The vocabulary of NKI ------------------------------*- C -*-===//
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

#ifndef TRN_C_NKI_H
#define TRN_C_NKI_H

#include "mlir-c/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Passes all words of a version of NKI, `beta1`, `0.6` or `0.7`, to `text` as
/// JSON. trn/Target/NKI/Words.h describes the format.
MLIR_CAPI_EXPORTED MlirLogicalResult
trnNKIGetWords(MlirStringRef version, MlirStringCallback text, void *textData,
               MlirStringCallback diagnostics, void *diagnosticsData);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_NKI_H
