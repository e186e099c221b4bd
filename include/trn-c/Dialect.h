//===- Dialect.h - C API of the trn dialect -----------------------*- C -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_C_DIALECT_H
#define TRN_C_DIALECT_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Trn, trn);

/// Registers the trn dialect, and all upstream dialects with their extensions.
MLIR_CAPI_EXPORTED void
mlirTrnRegisterAllDialects(MlirDialectRegistry registry);

/// Registers the passes and pipelines of this project, including `trn-compile`,
/// for functions such as `mlirParsePassPipeline`. May be called many times, by
/// any thread.
MLIR_CAPI_EXPORTED void mlirTrnRegisterAllPasses(void);

//===----------------------------------------------------------------------===//
// #trn.mem: the memory space of a memref.
//===----------------------------------------------------------------------===//

typedef uint32_t MlirTrnMemorySpace;
enum {
  MlirTrnMemorySpaceHbm = 0,
  MlirTrnMemorySpaceSbuf = 1,
  MlirTrnMemorySpacePsum = 2
};

MLIR_CAPI_EXPORTED bool mlirAttributeIsATrnMemoryAttr(MlirAttribute attr);

/// Loads the dialect if needed. Returns a null attribute for an unknown space.
MLIR_CAPI_EXPORTED MlirAttribute mlirTrnMemoryAttrGet(MlirContext context,
                                                      MlirTrnMemorySpace space);

/// Returns Hbm for any other attribute, as for a memref without one.
MLIR_CAPI_EXPORTED MlirTrnMemorySpace
mlirTrnMemoryAttrGetSpace(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// #trn.machine: what a module is compiled for.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool mlirAttributeIsATrnMachineAttr(MlirAttribute attr);

/// `overrides` is a dictionary of fields that differ from the known machine
/// `name`, or a null attribute. For an impossible machine, returns a null
/// attribute and emits an error at an unknown location. Copies the name.
MLIR_CAPI_EXPORTED MlirAttribute mlirTrnMachineAttrGet(MlirContext context,
                                                       MlirStringRef name,
                                                       MlirAttribute overrides);

/// Lives as long as the context; empty for any other attribute.
MLIR_CAPI_EXPORTED MlirStringRef mlirTrnMachineAttrGetName(MlirAttribute attr);

//===----------------------------------------------------------------------===//
// #trn.schedule: what a kernel computes, and how. Read it by
// `mlirAttributeParseGet`, and print it by `mlirAttributePrint`.
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool mlirAttributeIsATrnScheduleAttr(MlirAttribute attr);

#ifdef __cplusplus
}
#endif

#endif // TRN_C_DIALECT_H
