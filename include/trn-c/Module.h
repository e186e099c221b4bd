//===- Module.h - Compile modules ---------------------------------*- C -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled module and its uses. Every function
// - takes any argument: mistakes are reported as text, not by a crash;
// - prints and throws nothing. It passes diagnostics, in the format of the
//   tools, to `diagnostics` before it returns, unless that is NULL. A success
//   may come with warnings;
// - calls each callback at most once, with the callback's data;
// - copies its arguments, and keeps no pointer of the caller's;
// - may be called by any thread. Calls for one module wait for each other.
//
// `function` is the name of a public function of the module, or empty if it has
// only one. An `MlirStringRef` whose `data` is NULL is empty.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_C_MODULE_H
#define TRN_C_MODULE_H

#include "mlir-c/IR.h"
#include "trn-c/Array.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The version of trn-mlir: `0.2.0`. Lives for ever.
MLIR_CAPI_EXPORTED MlirStringRef trnGetVersion(void);

/// A compiled module, which owns its context, or null. Its owner must destroy
/// it.
typedef struct TrnModule {
  void *ptr;
} TrnModule;

//===----------------------------------------------------------------------===//
// Compiling.
//===----------------------------------------------------------------------===//

/// Compiles MLIR, text or bytecode. `name` stands for the file in diagnostics.
/// `options` are those of the pipeline `trn-compile` in command-line syntax:
/// `machine=trn2 strategy=recompute block-m=256`; may be empty. Returns null on
/// failure. Any text is safe, but bytecode must be trusted: MLIR's reader does
/// not check it, and damaged bytecode may do any harm.
MLIR_CAPI_EXPORTED TrnModule trnModuleCompile(MlirStringRef source,
                                              MlirStringRef name,
                                              MlirStringRef options,
                                              MlirStringCallback diagnostics,
                                              void *diagnosticsData);

/// The same for a copy of `module`, in a new context with the registry of the
/// module's. No other thread may use the module's context meanwhile.
MLIR_CAPI_EXPORTED TrnModule
trnModuleCompileModule(MlirModule module, MlirStringRef options,
                       MlirStringCallback diagnostics, void *diagnosticsData);

/// Whether compiling failed.
static inline bool trnModuleIsNull(TrnModule module) { return !module.ptr; }

/// Frees a module and all that its functions returned; no-op for null.
MLIR_CAPI_EXPORTED void trnModuleDestroy(TrnModule module);

/// Makes calls of this thread interruptible: from now on they call `isStopped`
/// with `data` about every 20 ms, and fail once it returns true. NULL ends
/// that. LLVM's compilation of host code, and its execution, are not
/// interrupted.
MLIR_CAPI_EXPORTED void trnSetInterrupt(bool (*isStopped)(void *data),
                                        void *data);

//===----------------------------------------------------------------------===//
// Looking at a module.
//===----------------------------------------------------------------------===//

/// Inputs and results of a function: arrays without data.
typedef struct TrnSignature {
  intptr_t numInputs;
  const TrnArray *inputs;
  const bool *mayWrite; ///< For each input, whether it is written back.
  intptr_t numResults;
  const TrnArray *results;
} TrnSignature;

/// Number of functions that can be run; 0 for null.
MLIR_CAPI_EXPORTED intptr_t trnModuleGetNumFunctions(TrnModule module);

/// The name of one, which lives as long as the module; empty if there is none.
MLIR_CAPI_EXPORTED MlirStringRef trnModuleGetFunctionName(TrnModule module,
                                                          intptr_t position);

/// Sets `signature`, whose arrays live as long as the module. Fails if a type
/// cannot be bound, such as a tensor with a dynamic size.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModuleGetSignature(
    TrnModule module, MlirStringRef function, TrnSignature *signature,
    MlirStringCallback diagnostics, void *diagnosticsData);

/// Number of remarks of the compiler: what it compiled with which plan, and
/// what it left alone and why; 0 for null.
MLIR_CAPI_EXPORTED intptr_t trnModuleGetNumRemarks(TrnModule module);

/// A remark as `PLACE: [KIND] ...`, which lives as long as the module; empty if
/// there is none.
MLIR_CAPI_EXPORTED MlirStringRef trnModuleGetRemark(TrnModule module,
                                                    intptr_t position);

/// Levels of compilation.
typedef int32_t TrnLevel;
enum {
  TrnLevelTensor = 0,  /// Kernels on tensors, with their plans.
  TrnLevelVirtual = 1, /// Instructions on buffers without addresses.
  TrnLevelPlaced = 2   /// The program that runs.
};

/// Passes the module at `level` to `text`, as MLIR. Levels before the last one
/// are compiled again.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrint(
    TrnModule module, TrnLevel level, MlirStringCallback text, void *textData,
    MlirStringCallback diagnostics, void *diagnosticsData);

/// Passes to `places` one line per line of that text: its origin in the source
/// as `FILE:LINE:COLUMN`, or nothing.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrintPlaces(
    TrnModule module, TrnLevel level, MlirStringCallback places,
    void *placesData, MlirStringCallback diagnostics, void *diagnosticsData);

/// Passes the kernels to `text` as Python for the vendor's compiler, in the
/// version of NKI for the module's machine: docs/NKI.md.
MLIR_CAPI_EXPORTED MlirLogicalResult
trnModulePrintNKI(TrnModule module, MlirStringCallback text, void *textData,
                  MlirStringCallback diagnostics, void *diagnosticsData);

/// Like `trnModulePrintPlaces`, for that Python.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrintNKIPlaces(
    TrnModule module, MlirStringCallback places, void *placesData,
    MlirStringCallback diagnostics, void *diagnosticsData);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_MODULE_H
