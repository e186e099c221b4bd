//===- HostCompiler.h - Host code as machine code ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTCOMPILER_H
#define TRN_LIB_RUNTIME_HOSTCOMPILER_H

#include "HostCalls.h"

#include "trn/Runtime/Arguments.h"

#include "mlir/ExecutionEngine/ExecutionEngine.h"

namespace mlir::trn {

/// Takes a pointer to a pointer to a memref descriptor for each argument, then
/// for each result. Where something goes wrong it does not return, but leaves
/// through the `llvm::CrashRecoveryContext` around the call.
using CompiledFunction = void (*)(void **);

/// What an entry does with weights alone, apart from it.
struct CompiledLoad {
  CompiledFunction call = nullptr;
  /// Positions of the arguments of the entry that it takes.
  SmallVector<unsigned> arguments;
  /// What it gives, which the entry takes between its arguments and results,
  /// and the sites where it is made.
  SmallVector<EntrySignature::Slot> results;
  SmallVector<size_t> sites;
};

/// An entry as machine code.
struct CompiledEntry {
  std::shared_ptr<ExecutionEngine> engine;
  CompiledFunction call = nullptr;
  std::optional<CompiledLoad> load;
  /// It writes globals, so that each core needs code of its own.
  bool keepsValues = false;
  /// It is that of one core, as it asks which one runs it.
  bool isOfOneCore = false;
};

/// Lowers a copy of the functions in `code` with upstream passes and compiles
/// it. What it calls is `run`, whose sites it makes. Emits errors.
FailureOr<CompiledEntry> compileHostCode(func::FuncOp entry,
                                         const HostCode &code, HostRun &run);

/// Whether host code does more with buffers than to hand them to kernels, so
/// that it may free them too early or write what it was only to read.
bool handlesBuffers(const HostCode &code);

/// Steps of the lowering, each on a module that holds only host code.
/// Ops that bufferization does not know become ops that it knows; those for
/// which there are none are errors.
LogicalResult decomposeHostCode(ModuleOp module);
/// What a function does with weights alone, as a function of its own.
struct OutlinedLoad {
  func::FuncOp function;
  /// Positions of the arguments that it takes. Its results become the last
  /// arguments of the other one.
  SmallVector<unsigned> arguments;
};
/// Moves what runs of `entry` do with weights alone out of it, also where
/// functions do it that it calls; nothing if there is nothing such.
std::optional<OutlinedLoad> outlineLoad(func::FuncOp entry);
/// Tensors become memrefs; what `entries` return becomes trailing arguments.
LogicalResult bufferizeHostCode(ModuleOp module,
                                ArrayRef<func::FuncOp> entries);
/// Inserts checks of all that may go wrong when the code runs.
LogicalResult insertHostChecks(bool handlesBuffers, HostCalls &calls);
/// The same for vectors that are read from buffers and written to them.
void insertVectorChecks(HostCalls &calls);
/// Functions by name: those that are loops, and those that have none.
struct OutlinedLoops {
  SmallVector<StringAttr> loops, straight;
};
/// Moves each linalg op into a function, one for all that are alike.
OutlinedLoops outlineLoops(ModuleOp module);
/// Once they are of the LLVM dialect, lets it inline none of these functions,
/// and not optimize those without loops.
void keepOutlined(const OutlinedLoops &outlined, ModuleOp module);
/// Everything becomes the LLVM dialect; allocations become calls of the run.
LogicalResult lowerHostCodeToLLVM(HostCalls &calls);

/// As memrefs are laid out in memory.
int64_t getElementBytes(MemRefType type);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTCOMPILER_H
