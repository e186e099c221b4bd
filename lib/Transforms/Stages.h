//===- Stages.h - The stages of a kernel on tensors -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_STAGES_H
#define TRN_LIB_TRANSFORMS_STAGES_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::trn {

/// A kernel on tensors is a sequence of stages. A stage computes on the tensor
/// engine into f32 (which will be PSUM) and ends with an *eviction*, an
/// elementwise op that rounds the result to its storage type:
///
///   %acc = linalg.fill 0                                     (products only)
///   %sum = linalg.matmul ins(stationary[k, m], moving[k, n]) outs(%acc)
///   %out = linalg.generic ins(%sum) outs(...)                 the eviction
///
/// or, instead of fill and matmul, a transposition.

/// What the linalg ops of a kernel are.
bool isProduct(Operation *op);
bool isTransposition(Operation *op);
/// Whether a product is written (k, m), (k, n) -> (m, n).
bool isStationaryTimesMoving(linalg::MatmulOp product);
bool isEviction(Operation *op);

/// Whether `op` belongs to the stage of the eviction that reads it.
bool isInsideStage(Operation *op);

/// The evictions on tensors under `root`, in program order; a kernel without
/// any is past these passes.
SmallVector<linalg::LinalgOp> collectStages(Operation *root);

/// How far the tiling passes have brought a kernel, as its code shows: a strip
/// computes into the result argument itself, blocks have buffers in SBUF, and
/// tiles in PSUM.
enum class Progress { Products, Strips, Blocks, Tiles, Buffers };
Progress getProgress(func::FuncOp kernel);

/// The product or transposition that `eviction` rounds; null if it converts or
/// adds what is in SBUF already.
linalg::LinalgOp getProducer(linalg::LinalgOp eviction);

/// The products that accumulate into what `eviction` rounds, in program order.
SmallVector<linalg::LinalgOp> getProducts(linalg::LinalgOp eviction);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_STAGES_H
