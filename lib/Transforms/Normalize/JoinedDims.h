//===- JoinedDims.h - What follows from parts -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_JOINEDDIMS_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_JOINEDDIMS_H

#include "Overwritten.h"
#include "trn/Transforms/Normalize/DimRange.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/MapVector.h"
#include <optional>

namespace mlir::trn {

/// What is computed of a tensor that is put together of others, up to sums,
/// maxima and minima over the dimension in which it is. Everything up to there
/// can be computed part by part, and nothing else reads it.
///
/// A tensor that is written over has two parts: what it was before, as a whole,
/// and what is written. The former is hidden behind minus infinity where it is
/// written over, so all sums are of zeros there.
class JoinedDims {
public:
  /// How part of a tensor is computed of parts of its operands.
  struct Source {
    /// By operand, the dimension of which it takes part.
    SmallVector<std::optional<int64_t>> dims;
    /// The loop of the op over the dimension, if it is of linalg.
    std::optional<unsigned> loop = std::nullopt;
  };

  /// What follows from the tensor that `op` puts together; none if it does not
  /// end in sums and maxima.
  static std::optional<JoinedDims> find(Operation *op);

  /// The indices of each part.
  ArrayRef<DimRange> ranges() const { return parts; }
  /// What sums over them, or takes a maximum, by which loop; in the order of
  /// the code.
  ArrayRef<std::pair<linalg::LinalgOp, unsigned>> sinks() const { return sums; }

  /// Slices that take one part again, with its number: attention has a column
  /// beside the scores, which takes its share and is dropped.
  ArrayRef<std::pair<tensor::ExtractSliceOp, unsigned>> slices() const {
    return partSlices;
  }

  /// Which indices are written over, if the tensor is.
  const std::optional<Overwritten> &overwritten() const { return over; }
  /// Whether elements of `tensor` that are written over must be hidden.
  bool isHidden(Value tensor) const { return hidden.contains(tensor); }
  /// Whether no part of `tensor` stands in `dim` for others, so that it is the
  /// first part itself if something is written over.
  bool isWhole(Value tensor, int64_t dim) const;

  /// Part `number` of `tensor`, if that is put together, of parts of the same
  /// sizes.
  Value findPart(Value tensor, int64_t dim, unsigned number) const;
  /// How part of `tensor` is computed; none if it is sliced.
  std::optional<Source> findSource(Value tensor, int64_t dim) const;
  /// By operand of `op`, the dimension that `loop` runs over.
  static SmallVector<std::optional<int64_t>> dimsOf(linalg::LinalgOp op,
                                                    unsigned loop);

private:
  bool follow(OpOperand &use, int64_t dim);
  /// Whether `slice`, of a member, takes one part.
  bool addSlice(tensor::ExtractSliceOp slice, int64_t dim);
  bool addSum(linalg::LinalgOp op, unsigned loop);
  bool addMember(Value tensor, int64_t dim, bool isMoved, int64_t products);
  /// Whether parts of `tensor` cost nothing that its whole does not.
  bool takesParts(Value tensor, int64_t dim) const;
  bool findTaken(Value tensor, int64_t dim) const;
  /// Whether `tensor` is put together of parts of the same sizes, or moved
  /// behind that.
  bool isJoined(Value tensor, int64_t dim) const;
  /// Whether all that `op` reads of `source` is: its parts are computed as if
  /// they had never been together.
  bool readsJoined(linalg::LinalgOp op, const Source &source) const;
  /// What `op` puts together; false if it does nothing like it.
  bool findParts(Operation *op);
  /// Whether parts of `joined`, some of which kernels compute, are separated
  /// again behind what is computed of them, as text and image that attend
  /// together.
  bool separatesComputed(Value joined) const;
  /// Hides what is written over from maxima. False if sums read it all the
  /// same.
  bool hideOverwritten();

  struct Member {
    int64_t dim;
    bool isMoved;     // of what is put together, and nothing is computed
    int64_t products; // that compute it
  };
  SmallVector<DimRange> parts; // the last one begins elsewhere if it is written
  std::optional<Overwritten> over;
  DenseSet<Value> hidden;
  llvm::MapVector<Value, Member> members;
  /// What `takesParts` has found, as much may be computed of one tensor.
  mutable DenseMap<std::pair<Value, int64_t>, bool> taken;
  SmallVector<std::pair<linalg::LinalgOp, unsigned>> sums;
  SmallVector<std::pair<tensor::ExtractSliceOp, unsigned>> partSlices;
};

/// Computes part by part what follows from tensors of `func` that are put
/// together of others, up to sums and maxima over these (SplitConcats.cpp).
void splitConcats(func::FuncOp func);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_JOINEDDIMS_H
