//===- ViewAnalysis.h - Memrefs as accesses to buffers ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_VIEWANALYSIS_H
#define TRN_DECODE_VIEWANALYSIS_H

#include "trn/Decode/IndexAnalysis.h"

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::trn {

/// The elements of a buffer that a memref covers. Strides and offset count
/// elements; the dim over partitions has no stride.
struct View {
  struct Dim {
    int64_t size;
    int64_t stride;
    bool isPartition = false;
  };

  int32_t buffer;
  ElementType type;
  LinearExpr partition;
  LinearExpr offset;
  SmallVector<Dim, 4> dims;
  /// Size of the whole buffer on chip: partitions, and elements of each.
  int64_t partitions = 0, elements = 0;
};

/// Memrefs of a kernel as views of its buffers, through subviews, casts,
/// reshapes and transposes. As in `IndexAnalysis`, `visit` takes the ops in
/// program order, and nothing is an error until it is used:
/// - `view_c1`: a subview stays inside its source in every dimension, and on
///   chip a reinterpret_cast inside the partitions of its buffer
/// - `view_c2`: the sizes and strides of a view are constant
/// - `view_c3`: on chip, a view has the partitions as dimension 0; it neither
///   skips, splits, merges nor drops them
/// - `view_c4`: a view is one of the known kinds and stays in its memory
class ViewAnalysis {
public:
  explicit ViewAnalysis(const IndexAnalysis &indices) : indices(indices) {}

  /// `root` is a whole buffer; its layout must be the identity.
  void addBuffer(Value root, int32_t buffer, ElementType type);

  /// Records the memref result of `op`, if it has one.
  void visit(Operation *op);

  /// The elements of `memref` for `user`, one dim for each of its own. On
  /// failure reports an error at the op at fault.
  FailureOr<Access> access(Value memref, Operation *user) const;

private:
  const IndexAnalysis &indices;
  Facts<View> views;
};

/// The number of elements of a memref; nothing if its shape is dynamic or its
/// bytes, `elementBytes` each, do not fit 63 bits.
std::optional<int64_t> countElements(MemRefType type, int64_t elementBytes);

} // namespace mlir::trn

#endif // TRN_DECODE_VIEWANALYSIS_H
