//===- StoredHeads.cpp - Results that are stored as heads -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StoredHeads.h"

#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/Machine.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

using namespace mlir;
using namespace mlir::trn;

/// Whether a kernel that computes the rows could store `heads`.
static bool mayBeStored(MovedHeads heads) {
  auto source = heads.rows().getDefiningOp<linalg::LinalgOp>();
  FailureOr<Machine> machine = getMachine(heads.apart);
  return source && source->getBlock() == heads.apart->getBlock() &&
         heads.apart->getBlock() == heads.transpose->getBlock() &&
         (isProductLike(source) || isa<linalg::GenericOp>(source)) &&
         heads.rows().hasOneUse() && succeeded(machine) &&
         fitsBlocks(heads.numColumns(), *machine);
}

std::optional<MovedHeads> mlir::trn::findStoredHeads(Value rows) {
  auto apart = rows.hasOneUse()
                   ? dyn_cast<tensor::ExpandShapeOp>(*rows.user_begin())
                   : tensor::ExpandShapeOp();
  auto heads = apart && apart->hasOneUse() ? matchHeads(*apart->user_begin())
                                           : std::nullopt;
  return heads && mayBeStored(*heads) ? heads : std::nullopt;
}

/// Lets `reader` read the transposed heads instead.
static void readTransposed(MovedHeads heads, linalg::LinalgOp reader) {
  SmallVector<AffineMap> maps = reader.getIndexingMapsArray();
  for (OpOperand *operand : reader.getDpsInputOperands()) {
    if (operand->get() != heads.apart.getResult())
      continue;
    AffineMap &map = maps[operand->getOperandNumber()];
    SmallVector<AffineExpr> indices;
    for (int64_t dim : heads.transpose.getPermutation())
      indices.push_back(map.getResult(dim));
    map = AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
    operand->set(heads.transpose->getResult(0));
  }
  reader->setAttr("indexing_maps", Builder(reader).getAffineMapArrayAttr(maps));
}

void mlir::trn::shareStoredHeads(func::FuncOp func) {
  func.walk([](linalg::TransposeOp op) {
    std::optional<MovedHeads> heads = matchHeads(op);
    if (!heads || !mayBeStored(*heads))
      return;
    SmallVector<Operation *> others;
    for (Operation *user : heads->apart->getUsers())
      if (user != op)
        others.push_back(user);
    auto mayRead = [&](Operation *user) {
      return isa<linalg::GenericOp, linalg::ContractOp>(user) &&
             user->getBlock() == op->getBlock() && op->isBeforeInBlock(user) &&
             llvm::none_of(
                 cast<linalg::LinalgOp>(user).getDpsInits(),
                 [&](Value init) { return init == heads->apart.getResult(); });
    };
    if (!llvm::all_of(others, mayRead))
      return;
    for (Operation *user : others)
      readTransposed(*heads, cast<linalg::LinalgOp>(user));
  });
}
