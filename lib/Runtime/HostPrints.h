//===- HostPrints.h - Upstream functions that print memrefs -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTPRINTS_H
#define TRN_LIB_RUNTIME_HOSTPRINTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ExecutionEngine/Orc/Mangling.h"

namespace mlir::trn {

/// Whether `func` declares one of the functions of upstream's runner utilities
/// that print a memref, `printMemrefF32` and the like, by its name and type.
bool isPrint(func::FuncOp func);

/// Whether `op` calls one of them.
bool callsPrint(Operation *op);

/// Prepares a declaration for compilation; it keeps its name.
void preparePrint(func::FuncOp func);

/// Where they are.
llvm::orc::SymbolMap getPrintSymbols(llvm::orc::MangleAndInterner intern);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTPRINTS_H
