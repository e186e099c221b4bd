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

/// Registers the trn dialect, and all upstream dialects with what extends them:
/// modules hold more than products.
void registerAllDialects(DialectRegistry &registry);

/// Registers the passes and pipelines of this project, unless the process has
/// them: a plugin may be loaded into one of our tools. Those that need BLAS are
/// in trn/Factorize/Passes.h.
void registerAllPasses();

} // namespace trn
} // namespace mlir

#endif // TRN_INITALL_H
