//===- FollowDim.cpp - Where a dimension of a weight leads ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FollowDim.h"

#include "SharedLoops.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
using Dim = std::pair<Value, unsigned>;

class Follower {
public:
  FollowedDim follow(Dim start) {
    dims.insert(start);
    for (size_t i = 0; i < dims.size() && !found.parts; ++i) {
      Dim dim = dims[i];
      for (OpOperand &use : dim.first.getUses())
        visit(use, dim.second);
    }
    return found;
  }

private:
  void visit(OpOperand &use, unsigned dim);
  void visitExpand(tensor::ExpandShapeOp op, unsigned dim);
  void visitCollapse(tensor::CollapseShapeOp op, unsigned dim);

  llvm::SetVector<Dim> dims;
  FollowedDim found;
};
} // namespace

void Follower::visitExpand(tensor::ExpandShapeOp op, unsigned dim) {
  const ReassociationIndices &group = op.getReassociationIndices()[dim];
  int64_t size = op.getSrcType().getDimSize(dim);
  int64_t last = op.getResultType().getDimSize(group.back());
  if (group.size() == 1)
    dims.insert({op.getResult(), group.front()});
  else if (size > 0 && last > 0)
    found.parts = size / last;
}

void Follower::visitCollapse(tensor::CollapseShapeOp op, unsigned dim) {
  for (auto [merged, group] : llvm::enumerate(op.getReassociationIndices()))
    if (llvm::is_contained(group, dim) &&
        op.getSrcType().getDimSize(dim) ==
            op.getResultType().getDimSize(merged))
      dims.insert({op.getResult(), unsigned(merged)});
}

void Follower::visit(OpOperand &use, unsigned dim) {
  Operation *op = use.getOwner();
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op))
    return visitExpand(expand, dim);
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op))
    return visitCollapse(collapse, dim);
  std::optional<SharedLoops> shared = SharedLoops::read(op);
  if (!shared)
    return;
  int loop = shared->operands[use.getOperandNumber()][dim];
  if (loop < 0)
    return;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && linalgOp.getNumReductionLoops() && !found.isSummed)
    found.isSummed = shared->loops[loop].isReduction;
  for (auto [result, ofResult] :
       llvm::zip_equal(op->getResults(), shared->results))
    for (auto [position, other] : llvm::enumerate(ofResult))
      if (other == loop)
        dims.insert({result, unsigned(position)});
}

FollowedDim mlir::trn::followDim(Value value, unsigned dim) {
  return Follower().follow({value, dim});
}

unsigned mlir::trn::findWeightDim(Value weight, bool ofInputs) {
  int64_t rank = cast<RankedTensorType>(weight.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    if (followDim(weight, dim).isSummed == ofInputs)
      return dim;
  return ofInputs && rank > 1 ? 1 : 0; // [out, in], if no product reads it
}
