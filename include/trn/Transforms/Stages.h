//===- Stages.h - The stages of a kernel on tensors -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_STAGES_H
#define TRN_TRANSFORMS_STAGES_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

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

/// How the left operand of a product is stored: as rows [m, k], or the way the
/// tensor engine wants its stationary operand, [k, m].
enum class LhsLayout { Rows, ContractionFirst };

/// Where the two halves of a product stage come from in the source.
struct ProductLocation {
  Location product;
  Location eviction;
};

/// Emits a product stage with rhs [k, n]; returns the eviction's result [m, n]
/// of `type`.
Value buildProduct(OpBuilder &builder, ProductLocation loc, Value lhs,
                   LhsLayout layout, Value rhs, Type type);

/// Emits a stage that transposes `source`; returns the eviction's result.
Value buildTransposition(OpBuilder &builder, Location loc, Value source);

/// Emits `outs = cast(in)`, element by element.
linalg::GenericOp buildEviction(OpBuilder &builder, Location loc, Value source,
                                Value destination);

/// Emits `outs = cast(outs + in)`: the eviction that adds a partial sum.
linalg::GenericOp buildAccumulation(OpBuilder &builder, Location loc,
                                    Value source, Value destination);

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

/// Creates an uninitialised tensor in `space`.
Value allocateTensor(OpBuilder &builder, Location loc, RankedTensorType type,
                     MemorySpace space);

/// Copies `source` into a new tensor in `space`.
Value copyTensor(OpBuilder &builder, Location loc, Value source,
                 MemorySpace space);

/// Follows slices, loops and destinations back to the tensor that `tensor` is a
/// part or an update of.
Value getOrigin(Value tensor);

/// The memory that `tensor` was allocated in; none if it has no buffer yet.
std::optional<MemorySpace> getMemory(Value tensor);

/// Removes dead ops, folds slices and loops that run once. Unlike the
/// canonicaliser it keeps evictions that round to the same type.
LogicalResult cleanUp(Operation *op);

/// Replaces the slices that `op` reads by computing just the slice, for
/// producers that `fuse` accepts, and so on through their operands.
void fuseSlices(RewriterBase &rewriter, linalg::LinalgOp op,
                llvm::function_ref<bool(Operation *producer)> fuse);

/// Tiles `root` by `sizes` (0 = not at all) and fuses what `fuse` accepts into
/// the loops. Where a size does not divide, the remainder becomes code of its
/// own, so every shape stays static. Returns the tiled copies of `root`, the
/// full tiles first.
FailureOr<SmallVector<linalg::LinalgOp>>
tileAndFuse(RewriterBase &rewriter, linalg::LinalgOp root,
            ArrayRef<int64_t> sizes,
            llvm::function_ref<bool(Operation *producer)> fuse);

/// Tiles the contraction of `product` by `size`, remainder apart.
LogicalResult tileContraction(RewriterBase &rewriter, linalg::LinalgOp product,
                              int64_t size);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_STAGES_H
