//===- Module.h - Compile modules ---------------------------------*- C -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A compiled module and what can be done with it. Every function
// - takes any argument: what is wrong is told as text, not by a crash;
// - prints nothing, and throws nothing: diagnostics, as the tools print them,
//   are given to `diagnostics` before the function returns, unless there are
//   none or it is NULL. A success may come with warnings;
// - calls each callback once at most, with the data that belongs to it;
// - copies what it is given, and keeps no pointer of the caller's;
// - may be called by any thread. Calls about one module wait for each other.
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

/// The version of trn-mlir: `0.1.0`. Lives for ever.
MLIR_CAPI_EXPORTED MlirStringRef trnGetVersion(void);

/// A compiled module, which owns its context, or null. Whoever gets one must
/// destroy it.
typedef struct TrnModule {
  void *ptr;
} TrnModule;

//===----------------------------------------------------------------------===//
// Compiling.
//===----------------------------------------------------------------------===//

/// Compiles MLIR, text or bytecode. `name` stands for the file in diagnostics.
/// `options` are those of the pipeline `trn-compile`, written as on a command
/// line: `machine=trn2 strategy=recompute block-m=256`; empty: all is chosen.
/// Returns null on failure. Text may be anything; bytecode is trusted, as
/// MLIR's reader trusts it: damaged one may do any harm.
MLIR_CAPI_EXPORTED TrnModule trnModuleCompile(MlirStringRef source,
                                              MlirStringRef name,
                                              MlirStringRef options,
                                              MlirStringCallback diagnostics,
                                              void *diagnosticsData);

/// The same for a copy of `module`, in a context that knows what the registry
/// of the module's context knows. No other thread may use that one meanwhile.
MLIR_CAPI_EXPORTED TrnModule
trnModuleCompileModule(MlirModule module, MlirStringRef options,
                       MlirStringCallback diagnostics, void *diagnosticsData);

/// Whether compiling failed.
static inline bool trnModuleIsNull(TrnModule module) { return !module.ptr; }

/// Frees a module and what its functions returned; nothing for null.
MLIR_CAPI_EXPORTED void trnModuleDestroy(TrnModule module);

/// Lets calls of this thread be ended: those that follow ask `isStopped`, with
/// `data`, every 20 ms or so, and fail once it returns true. NULL ends that.
/// What LLVM compiles of host code, and what that computes, is not interrupted.
MLIR_CAPI_EXPORTED void trnSetInterrupt(bool (*isStopped)(void *data),
                                        void *data);

//===----------------------------------------------------------------------===//
// Looking at a module.
//===----------------------------------------------------------------------===//

/// What a function takes and returns: arrays without data.
typedef struct TrnSignature {
  intptr_t numInputs;
  const TrnArray *inputs;
  const bool *mayWrite; ///< For each input, whether it is written back.
  intptr_t numResults;
  const TrnArray *results;
} TrnSignature;

/// How many functions can be run; 0 for null.
MLIR_CAPI_EXPORTED intptr_t trnModuleGetNumFunctions(TrnModule module);

/// The name of one, which lives as long as the module; empty if there is no
/// such function.
MLIR_CAPI_EXPORTED MlirStringRef trnModuleGetFunctionName(TrnModule module,
                                                          intptr_t position);

/// Sets `signature`, whose arrays live as long as the module. Fails if a type
/// cannot be bound, such as a tensor with a dynamic size.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModuleGetSignature(
    TrnModule module, MlirStringRef function, TrnSignature *signature,
    MlirStringCallback diagnostics, void *diagnosticsData);

/// How many remarks the compiler has made: what it compiled by which plan, and
/// what it left alone and why; 0 for null.
MLIR_CAPI_EXPORTED intptr_t trnModuleGetNumRemarks(TrnModule module);

/// A remark as `PLACE: [KIND] ...`, which lives as long as the module; empty if
/// there is no such remark.
MLIR_CAPI_EXPORTED MlirStringRef trnModuleGetRemark(TrnModule module,
                                                    intptr_t position);

/// How far a module is compiled.
typedef int32_t TrnLevel;
enum {
  TrnLevelTensor = 0,  /// Kernels on tensors, with their plans.
  TrnLevelVirtual = 1, /// Instructions on buffers without addresses.
  TrnLevelPlaced = 2   /// The program that runs.
};

/// Gives the module at `level` to `text` as MLIR. A level before
/// the last one is compiled again.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrint(
    TrnModule module, TrnLevel level, MlirStringCallback text, void *textData,
    MlirStringCallback diagnostics, void *diagnosticsData);

/// Gives `places` a line for each line of that text: where in the source it
/// comes from, as `FILE:LINE:COLUMN`, or nothing.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrintPlaces(
    TrnModule module, TrnLevel level, MlirStringCallback places,
    void *placesData, MlirStringCallback diagnostics, void *diagnosticsData);

/// Gives the kernels to `text` as Python for the vendor's compiler, in the
/// version of NKI that compiles for the module's machine: docs/NKI.md.
MLIR_CAPI_EXPORTED MlirLogicalResult
trnModulePrintNKI(TrnModule module, MlirStringCallback text, void *textData,
                  MlirStringCallback diagnostics, void *diagnosticsData);

/// The same of that Python as `trnModulePrintPlaces` of MLIR.
MLIR_CAPI_EXPORTED MlirLogicalResult trnModulePrintNKIPlaces(
    TrnModule module, MlirStringCallback places, void *placesData,
    MlirStringCallback diagnostics, void *diagnosticsData);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_MODULE_H
