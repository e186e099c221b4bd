//===- EntryShards.cpp - What cores have of a function's tensors ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Arguments.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// Fails if cores would have pieces of other numbers, or some nobody.
static LogicalResult verifyPieces(func::FuncOp entry, int64_t cores) {
  EntryShards shards = getShards(entry);
  for (auto [kind, all] :
       {std::pair<StringRef, ArrayRef<ShardAttr>>("argument", shards.inputs),
        {"result", shards.results}})
    for (auto [index, shard] : llvm::enumerate(all))
      // cores_c7
      if (shard && cores % shard.getPieces() != 0)
        return entry.emitError()
               << kind << " " << index << " of @" << entry.getSymName()
               << " has " << shard.getPieces() << " pieces, but runs on "
               << cores << (cores == 1 ? " core" : " cores")
               << ", which cannot have them equally often";
  return success();
}

FailureOr<int64_t> mlir::trn::countCores(func::FuncOp entry) {
  std::optional<int64_t> count;
  for (auto grid : entry->getParentOfType<ModuleOp>().getOps<shard::GridOp>()) {
    if (count)
      return grid.emitError("a module runs on one grid of cores, but this is "
                            "the second one");
    ArrayRef<int64_t> shape = grid.getShape();
    // Unknown sizes are negative.
    if (llvm::any_of(shape, [](int64_t size) { return size <= 0; }))
      return grid.emitError("a size of the grid is unknown or zero; a run "
                            "needs the number of its cores");
    // Each is a thread of this process, with memories of its own.
    constexpr uint64_t most = 64;
    uint64_t cores = 1;
    for (uint64_t size : shape)
      cores = llvm::SaturatingMultiply(cores, size);
    if (cores > most)
      return grid.emitError("the grid has ")
             << cores << " cores, but a run has at most " << most;
    count = int64_t(cores);
  }
  if (failed(verifyPieces(entry, count.value_or(1))))
    return failure();
  return count.value_or(1);
}

/// Null if `type` is that of a whole tensor.
static ShardAttr takeShard(Attribute attribute, Type type) {
  auto shard = dyn_cast_or_null<ShardAttr>(attribute);
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shard || !shaped || !shaped.hasStaticShape() || shard.getPieces() == 1 ||
      shard.getDim() >= shaped.getRank() ||
      shaped.getDimSize(shard.getDim()) != shard.getExtent())
    return nullptr;
  return shard;
}

EntryShards mlir::trn::getShards(func::FuncOp entry) {
  EntryShards shards;
  StringRef name = TrnDialect::ShardAttrHelper::getNameStr(),
            result = TrnDialect::ResultAttrHelper::getNameStr();
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    bool isResult = entry.getArgAttr(index, result) != nullptr;
    (isResult ? shards.results : shards.inputs)
        .push_back(takeShard(entry.getArgAttr(index, name), type));
  }
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes()))
    shards.results.push_back(takeShard(entry.getResultAttr(index, name), type));
  return shards;
}
