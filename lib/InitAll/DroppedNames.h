//===- DroppedNames.h - Ops that MLIR does not have any more ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INITALL_DROPPEDNAMES_H
#define TRN_LIB_INITALL_DROPPEDNAMES_H

namespace mlir {
class DialectRegistry;
namespace trn {

/// Lets the parser's error about an op that had another name say how it is
/// written today, and that about a dialect or a form of other tools what to do.
void registerDroppedNames(DialectRegistry &registry);

} // namespace trn
} // namespace mlir

#endif // TRN_LIB_INITALL_DROPPEDNAMES_H
