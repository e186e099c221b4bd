//===- NormalizeSteps.h - How products get one form -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_NORMALIZESTEPS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_NORMALIZESTEPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// `source` as `type`, which has as many elements; null if that takes more than
/// static shapes.
Value reshape(OpBuilder &builder, Location loc, Value source,
              RankedTensorType type);

/// The same, which an op writes to: another fill or splat instead of a reshape.
Value reshapeInit(OpBuilder &builder, Value source, RankedTensorType type);

/// The most dimensions that both static shapes, of as many elements, fall into,
/// and which of theirs these are.
void findCommonShape(ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                     SmallVector<int64_t> &common,
                     SmallVector<ReassociationIndices> &fromGroups,
                     SmallVector<ReassociationIndices> &toGroups);

/// Writes static reshapes as `tensor.collapse_shape` and `tensor.expand_shape`:
/// `tensor.reshape`, and slices of whole tensors that drop or add dimensions.
/// Generics index dimensions of one by loops of one, if they have some.
void populateReshapePatterns(RewritePatternSet &patterns);

/// Whether `op` gives the elements of a tensor another shape.
bool isReshape(Operation *op);

/// Whether `op` computes each element of its result, a tensor, by itself.
bool isElementwise(Operation *op);

/// One reshape instead of several, or none.
void addReshapeFolding(RewritePatternSet &patterns);

/// A tensor of `func` is reshaped once, where it is made, and transposed once:
/// so products of it read one matrix, and no reshape comes between those that a
/// kernel could compute.
void mergeReshapes(func::FuncOp func);

/// Lets `product` accumulate onto zeros: what it is given beside that is added
/// behind it, in f32, as kernels sum. So it rounds once, behind the sum.
void defineAccumulator(linalg::LinalgOp product);

/// Lets `reduction` start with the element that changes nothing: another one
/// takes part behind it. Sums of bf16 and f16 are f32, as those of products.
void defineStart(linalg::GenericOp reduction);

/// Lets products that `isProduct` names read through movements in front of
/// them, and write through one that is all that reads them. What is widened is
/// read only if both operands then have one type. Elementwise generics read
/// through all movements.
void populateReadThroughPatterns(
    RewritePatternSet &patterns,
    function_ref<bool(linalg::LinalgOp)> isProduct);

/// Lets `product`, of which one operand is stored in 8 bits, read it widened to
/// the type of the other one.
void widenStoredOperand(linalg::LinalgOp product);

/// Lets `product`, which accumulates onto zeros, multiply a weight as it is
/// stored in 8 bits, and the scales of its columns multiply the sums:
///
///   %w = linalg.generic { mulf(sitofp(%stored), %scales) }       [k, n]
///   %o = linalg.matmul %x, %w
///
/// becomes
///
///   %w = linalg.generic { sitofp(%stored) }
///   %y = linalg.matmul %x, %w                                    in f32
///   %o = linalg.generic { mulf(%y, %scales) }
///
/// which rounds less.
void moveWeightScale(linalg::LinalgOp product);

/// Rewrites `op`, a static product, as one of two matrices, or of batches of
/// them:
///
///   %o = linalg.contract (b, m, k) * (k, n) -> (b, m, n)
///
/// becomes, since neighbours that are only rows count as one dimension,
///
///   %x2 = tensor.collapse_shape %x [[0, 1], [2]]
///   %o2 = linalg.generic (m, k) * (k, n) -> (m, n)
///   %o = tensor.expand_shape %o2 [[0, 1], [2]]
///
/// Where they are no neighbours a transposition makes them ones, which a remark
/// says. So it does where a batch is the innermost dimension of a matrix; all
/// others stay where they are.
void makePlain(RewriterBase &rewriter, linalg::LinalgOp op);

/// Lets `op` read numbers where a condition on indices, or on integers, chooses
/// between a value and a constant: the least of the value and a mask is the
/// same, except where the value is a NaN that the condition hides.
void splitMasks(linalg::GenericOp op);

/// Replaces `op`, if it puts together slices of the columns of tensors, or what
/// is computed of such slices, by products with constant matrices.
void rewriteRotation(Operation *op);

/// Lets the function return a product instead of `op`, if that takes apart what
/// a linalg op computes: a kernel stores that as its own dimensions lie, and
/// the host would have to move them.
void rewriteReturnedTranspose(linalg::TransposeOp op);

/// Whether `op` is a product with a constant of zeros, ones and minus ones.
bool isSelection(Operation *op);

/// Rewrites convolutions of images as generics that multiply and sum, if their
/// windows lie side by side without gaps. What is computed behind has the
/// features last, up to a transposition that brings them there.
void rewriteConvolutions(func::FuncOp func);

/// Brings into one elementwise generic of `consumers`, ops of `func`, what has
/// a meaning only together: conditions come to the selects that read them,
/// powers to the `log1p` of a softplus. Others stay as they are.
void fuseConditions(func::FuncOp func, ArrayRef<Operation *> consumers);

/// Elementwise generics and reductions of rows, which what a linalg op computes
/// comes to with its rows grouped in another way, take them as they come.
void populateRegroupRowsPatterns(RewritePatternSet &patterns);

/// Whether `op` moves parts of a dimension that a linalg op computes, which a
/// reshape took apart.
bool takesReshapeApart(linalg::TransposeOp op);

/// Reductions of rows that lie in several dimensions, and what is computed with
/// them element by element, get one dimension of rows, if no product has some
/// of the others as batches.
void collapseRows(func::FuncOp func);

/// Elementwise generics and transpositions that read the result of a linalg op
/// with additional dimensions of one index run without them.
void populateDropUnitPatterns(RewritePatternSet &patterns);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_NORMALIZESTEPS_H
