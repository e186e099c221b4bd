//===- Generate.h - Build linalg modules from sizes -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_GENERATE_GENERATE_H
#define TRN_GENERATE_GENERATE_H

#include "trn/Generate/Specs.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace mlir::trn {

/// Builds a module whose public function `@main` computes the chain with
/// `linalg.matmul`. Fails where `checkSpec` does.
llvm::Expected<OwningOpRef<ModuleOp>> generateChain(MLIRContext *context,
                                                    const ChainSpec &spec);

/// The same for an MLP. Gate and up stay in f32 until their gated product is
/// rounded.
llvm::Expected<OwningOpRef<ModuleOp>> generateMlp(MLIRContext *context,
                                                  const MlpSpec &spec);

/// The same for queries, keys and values.
llvm::Expected<OwningOpRef<ModuleOp>> generateQkv(MLIRContext *context,
                                                  const QkvSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_GENERATE_H
