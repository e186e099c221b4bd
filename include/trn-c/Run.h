//===- Run.h - Run and time compiled modules ----------------------*- C -*-===//
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

#ifndef TRN_C_RUN_H
#define TRN_C_RUN_H

#include "trn-c/Module.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs a function. Inputs must have the shapes of its signature, and floats or
/// integers as it has. Floats are rounded to nearest even; integers must fit.
/// Results are in the caller's memory and must have the right shapes, too. f32
/// takes results of any float type; other types must be equal. An input that is
/// a memref is written back if the function writes it, and must then have its
/// exact type. Nothing is written on failure.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModuleRun(
    TrnModule module, MlirStringRef function, intptr_t numInputs,
    const TrnArray *inputs, intptr_t numResults, const TrnArray *results,
    MlirStringCallback diagnostics, void *diagnosticsData);

/// Sets `milliseconds` to the modelled latency of the kernels that a function
/// calls; host code between them counts as zero.
MLIR_CAPI_EXPORTED MlirLogicalResult
trnModuleTime(TrnModule module, MlirStringRef function, double *milliseconds,
              MlirStringCallback diagnostics, void *diagnosticsData);

/// Passes the report of a function to `json`, with the keys of docs/Tools.md.
/// "latency_range_ms" is the uncertainty of its latency.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModuleReport(
    TrnModule module, MlirStringRef function, MlirStringCallback json,
    void *jsonData, MlirStringCallback diagnostics, void *diagnosticsData);

/// Passes an HTML page about a function to `html`: one file with report,
/// timeline and roofline; see docs/Html.md.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePage(
    TrnModule module, MlirStringRef function, MlirStringCallback html,
    void *htmlData, MlirStringCallback diagnostics, void *diagnosticsData);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_RUN_H
