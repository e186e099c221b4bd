//===- RunStage.h - Values of a module at any stage ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_VALIDATE_RUNSTAGE_H
#define TRN_LIB_VALIDATE_RUNSTAGE_H

#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// Compiles @`entry` of a module in which kernels are at any stage of their
/// compilation, and changes that module: kernels without instructions become
/// host code, and buffers of those that are not placed get addresses of their
/// own, in a machine that is large enough. Emits errors.
FailureOr<Executable> compileStage(func::FuncOp entry);

/// What a run wrote.
struct NamedValue {
  std::string name;
  HostTensor value;
};

/// Runs on random inputs. Emits an error if that fails.
FailureOr<SmallVector<NamedValue>>
runStage(func::FuncOp entry, Executable &executable, uint64_t seed);

} // namespace mlir::trn

#endif // TRN_LIB_VALIDATE_RUNSTAGE_H
