//===- InitAll.h - Register everything of this project ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INITALL_H
#define TRN_INITALL_H

namespace mlir {
class DialectRegistry;
namespace trn {

/// Registers the trn dialect, and all upstream dialects with their extensions:
/// modules hold more than products.
void registerAllDialects(DialectRegistry &registry);

/// Registers the passes and pipelines of this project, unless they are already
/// there: a plugin may be loaded into one of our tools. trn/Factorize/Passes.h
/// has those that need BLAS.
void registerAllPasses();

} // namespace trn
} // namespace mlir

#endif // TRN_INITALL_H
