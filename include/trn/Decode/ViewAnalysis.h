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

/// A memref as the elements of a buffer that it covers. Strides and offset
/// count elements; the dim that walks over partitions has none.
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
  /// Of the whole buffer on chip: its partitions, and the elements of each.
  int64_t partitions = 0, elements = 0;
};

/// Knows the memrefs of a kernel as views of its buffers, by following
/// subviews, casts, reshapes and transposes. As with `IndexAnalysis`, `visit`
/// takes the ops in program order and nothing is an error until it is used:
/// - `view_c1`: a subview stays inside of its source in every dimension, and on
///   chip a reinterpret_cast inside of the partitions of its buffer
/// - `view_c2`: the sizes and strides of a view are constant
/// - `view_c3`: on chip, a view has the partitions as dimension 0; it neither
///   skips, splits, merges nor drops them
/// - `view_c4`: a view is one of the known kinds and stays in its memory
class ViewAnalysis {
public:
  explicit ViewAnalysis(const IndexAnalysis &indices) : indices(indices) {}

  /// `root` is the whole of a buffer; its layout must be the identity.
  void addBuffer(Value root, int32_t buffer, ElementType type);

  /// Learns the memref result of `op`, if it has one.
  void visit(Operation *op);

  /// What `memref` covers, one dim for each of its own; reports why not at the
  /// op at fault. `user` is the op that needs it.
  FailureOr<Access> access(Value memref, Operation *user) const;

private:
  const IndexAnalysis &indices;
  Facts<View> views;
};

/// The size in elements of a memref with static shape; nothing if it is dynamic
/// or does not fit 63 bits with `elementBytes` each.
std::optional<int64_t> countElements(MemRefType type, int64_t elementBytes);

} // namespace mlir::trn

#endif // TRN_DECODE_VIEWANALYSIS_H
