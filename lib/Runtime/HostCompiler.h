//===- HostCompiler.h - Host code as machine code ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTCOMPILER_H
#define TRN_LIB_RUNTIME_HOSTCOMPILER_H

#include "trn/Runtime/HostCode.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"

namespace mlir::trn {

/// What compiled host code calls for each kernel; `arguments` are the addresses
/// of the kernel's arguments.
using KernelCallback = void (*)(void *context, size_t kernel,
                                ArrayRef<void *> arguments);

/// An entry as machine code.
struct CompiledEntry {
  std::unique_ptr<ExecutionEngine> engine;
  /// Takes a pointer to a pointer to a memref descriptor for each argument,
  /// then for each result.
  void (*call)(void **) = nullptr;
};

/// Lowers a copy of the functions in `code` with upstream passes and compiles
/// it. Kernels become calls of `callback` with `context`. Emits errors.
FailureOr<CompiledEntry> compileHostCode(func::FuncOp entry,
                                         const HostCode &code,
                                         KernelCallback callback,
                                         void *context);

/// Steps of the lowering, each on a module that holds only host code.
/// Tensors become memrefs; what `entry` returns becomes trailing arguments.
LogicalResult bufferizeHostCode(func::FuncOp entry);
/// Everything becomes the LLVM dialect.
LogicalResult lowerHostCodeToLLVM(ModuleOp module);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTCOMPILER_H
