//===- OneSpelling.h - What is written in many ways -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_ONESPELLING_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_ONESPELLING_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// Writes insertions that put tensors together as concatenations, tensors of
/// one number as fills, and generics that only permute as transpositions.
void joinInserts(func::FuncOp func);

/// Loops by `scf.while` that count from one number to another become `scf.for`.
/// Those that write a part of a tensor in each iteration are unrolled.
void countLoops(func::FuncOp func);

/// Rotary embeddings whose halves, or even and odd columns, are computed by
/// themselves and put together, compute all columns at once.
void joinHalves(func::FuncOp func);

/// Generics read slices instead of constant indices of whole dimensions.
void sliceIndices(func::FuncOp func);

/// Lets the host multiply what sums nothing, and of which nothing but sines and
/// cosines is computed.
void multiplyAngles(linalg::LinalgOp product);

/// Lets plain products compute the place of a few rows that the host would put
/// around theirs.
void growRows(func::FuncOp func);

/// Functions of what is computed and then moved come in front of the movement,
/// if products that `isProduct` names read them.
void populateMoveBehindPatterns(RewritePatternSet &patterns,
                                function_ref<bool(linalg::LinalgOp)> isProduct);

/// Lets `product`, if it is a generic, run without batches of one index.
void dropUnitBatches(linalg::LinalgOp product);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_ONESPELLING_H
