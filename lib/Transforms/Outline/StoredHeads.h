//===- StoredHeads.h - Results that are stored as heads ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_STOREDHEADS_H
#define TRN_LIB_TRANSFORMS_OUTLINE_STOREDHEADS_H

#include "trn/Transforms/Normalize/HeadMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// The heads that the kernel of `rows` may store in their place, as nothing
/// else reads these: a cache of keys or values, for example.
std::optional<MovedHeads> findStoredHeads(Value rows);

/// Lets what reads heads beside each other, [rows, heads, columns], read them
/// one behind the other, where they are computed in that order anyway.
void shareStoredHeads(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_STOREDHEADS_H
