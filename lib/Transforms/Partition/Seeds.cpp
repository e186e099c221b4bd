//===- Seeds.cpp - How the arguments of functions are split ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seeds.h"

#include "FollowDim.h"
#include "WeightNames.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mlir::trn;

bool Seeds::split(func::FuncOp func) const {
  return llvm::any_of(dims, [&](const auto &seed) {
    return cast<BlockArgument>(seed.first).getOwner() == &func.front() &&
           llvm::any_of(seed.second, [](Axes axes) { return axes != 0; });
  });
}

//===----------------------------------------------------------------------===//
// Tied heads
//===----------------------------------------------------------------------===//

void mlir::trn::separateTiedHead(func::FuncOp func) {
  StringRef key = TrnDialect::ParamAttrHelper::getNameStr();
  for (unsigned i = 0, e = func.getNumArguments(); i < e; ++i) {
    auto name = func.getArgAttrOfType<StringAttr>(i, key);
    BlockArgument table = func.getArgument(i);
    if (!name || !name.getValue().ends_with("embed_tokens.weight"))
      continue;
    // A lookup extracts elements in its body.
    auto isProduct = [&](OpOperand &use) {
      return isa<linalg::LinalgOp>(use.getOwner());
    };
    if (llvm::all_of(table.getUses(), isProduct) ||
        llvm::none_of(table.getUses(), isProduct))
      continue;
    DictionaryAttr attributes = func.getArgAttrDict(i);
    unsigned last = func.getNumArguments();
    // It fails for function types that cannot be built again, which func's can.
    (void)func.insertArgument(last, table.getType(), attributes,
                              table.getLoc());
    table.replaceUsesWithIf(func.getArgument(last), isProduct);
  }
}

//===----------------------------------------------------------------------===//
// Heads
//===----------------------------------------------------------------------===//

namespace {

/// A weight or a request, before the grid is known.
struct Wish {
  Value argument;
  std::string name;
  unsigned dim = 0;
  /// All cores share it if there is no number.
  std::optional<int64_t> pieces = std::nullopt;
};

/// Numbers of heads that weights have.
struct Heads {
  bool areOfKeys = false;
  int64_t count = 0;

  bool canBeShared(int64_t cores) const {
    return count % cores == 0 || (areOfKeys && cores % count == 0);
  }
};

class SeedFinder {
public:
  SeedFinder(int64_t cores, PartitionScheme scheme)
      : cores(cores), scheme(scheme) {}

  LogicalResult visit(func::FuncOp func);
  FailureOr<Seeds> finish();

private:
  LogicalResult visitShard(BlockArgument argument, ShardAttr shard);
  void visitWeight(BlockArgument argument, StringRef name);
  /// Whether `count` cores could run what the weights belong to.
  bool canShareHeads(int64_t count) const;
  LogicalResult checkHeads() const;

  int64_t cores;
  PartitionScheme scheme;
  SmallVector<Value> weights;
  DenseSet<Value> requested;
  SmallVector<Wish> wishes;
  SmallVector<std::pair<Heads, Wish>> heads;
};

} // namespace

void SeedFinder::visitWeight(BlockArgument argument, StringRef name) {
  std::optional<WeightName> parsed = WeightName::parse(name);
  if (!parsed && name.ends_with("embed_tokens.weight") &&
      llvm::all_of(argument.getUsers(), llvm::IsaPred<linalg::LinalgOp>))
    parsed = WeightName{"lm_head"};
  SharedDim shared = parsed ? findSharedDim(*parsed, scheme) : SharedDim::None;
  auto type = cast<RankedTensorType>(argument.getType());
  if (shared == SharedDim::None || !type.hasStaticShape() || !type.getRank())
    return;
  Wish wish = {argument, name.str(),
               findWeightDim(argument, shared == SharedDim::Inputs)};
  FollowedDim followed = followDim(argument, wish.dim);
  if (parsed->hasHeads() && followed.parts) {
    Heads counted = {parsed->matrix != "q", *followed.parts};
    heads.push_back({counted, wish});
    if (counted.areOfKeys && counted.count < cores)
      wish.pieces = counted.count;
  }
  wishes.push_back(wish);
}

LogicalResult SeedFinder::visitShard(BlockArgument argument, ShardAttr shard) {
  auto func = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto type = cast<RankedTensorType>(argument.getType());
  if (type.getDimSize(shard.getDim()) != shard.getSize())
    return func.emitError("argument ")
           << argument.getArgNumber() << " is a piece already: " << type
           << " of " << shard
           << "; trn-partition splits modules that no pass has split";
  if (cores % shard.getPieces() != 0)
    return func.emitError("argument ")
           << argument.getArgNumber() << " asks for " << shard.getPieces()
           << " pieces, which " << cores
           << " cores cannot have equally often; pieces must divide cores";
  wishes.push_back(
      {argument, "trn.shard", unsigned(shard.getDim()), shard.getPieces()});
  requested.insert(argument);
  return success();
}

LogicalResult SeedFinder::visit(func::FuncOp func) {
  for (BlockArgument argument : func.getArguments()) {
    if (!isa<RankedTensorType>(argument.getType()))
      continue;
    unsigned number = argument.getArgNumber();
    auto name = func.getArgAttrOfType<StringAttr>(
        number, TrnDialect::ParamAttrHelper::getNameStr());
    auto shard = func.getArgAttrOfType<ShardAttr>(
        number, TrnDialect::ShardAttrHelper::getNameStr());
    if (!name && !shard)
      continue;
    weights.push_back(argument);
    if (shard && failed(visitShard(argument, shard)))
      return failure();
    if (!shard)
      visitWeight(argument, name);
  }
  return success();
}

bool SeedFinder::canShareHeads(int64_t count) const {
  return llvm::all_of(
      heads, [&](const auto &entry) { return entry.first.canBeShared(count); });
}

LogicalResult SeedFinder::checkHeads() const {
  int64_t most = 1;
  for (const auto &[counted, wish] : heads)
    most = std::max(most, counted.count);
  for (const auto &[counted, wish] : heads) {
    if (counted.canBeShared(cores))
      continue;
    int64_t less = std::min(cores, most), more = cores;
    while (!canShareHeads(less))
      --less;
    while (more <= most && !canShareHeads(more))
      ++more;
    auto func = cast<func::FuncOp>(
        cast<BlockArgument>(wish.argument).getOwner()->getParentOp());
    InFlightDiagnostic error = func.emitError("'")
                               << wish.name << "' has " << counted.count
                               << " heads, which " << cores
                               << " cores cannot share; the nearest that can "
                                  "share all heads: cores="
                               << less;
    if (more <= most)
      error << " and cores=" << more;
    return error;
  }
  return success();
}

FailureOr<Seeds> SeedFinder::finish() {
  if (failed(checkHeads()))
    return failure();
  Seeds seeds;
  seeds.requested = requested;
  seeds.grid.sizes = {cores};
  // Fewer pieces than cores make a grid of two axes, on one of which all cores
  // have the same.
  for (const Wish &wish : wishes)
    if (wish.pieces && *wish.pieces > 1 && *wish.pieces < cores)
      seeds.grid.sizes = {*wish.pieces, cores / *wish.pieces};
  for (Value weight : weights)
    seeds.dims[weight].assign(
        cast<RankedTensorType>(weight.getType()).getRank(), 0);
  for (const Wish &wish : wishes) {
    std::optional<Axes> axes = seeds.grid.findAxes(wish.pieces.value_or(cores));
    auto func = cast<func::FuncOp>(
        cast<BlockArgument>(wish.argument).getOwner()->getParentOp());
    if (!axes)
      return func.emitError("'")
             << wish.name << "' needs " << *wish.pieces
             << " pieces, but others " << seeds.grid.sizes.front() << " on "
             << cores
             << " cores; only one number below that of the cores can be had";
    seeds.dims[wish.argument][wish.dim] = *axes;
  }
  return seeds;
}

FailureOr<Seeds> mlir::trn::findSeeds(ArrayRef<func::FuncOp> functions,
                                      int64_t cores, PartitionScheme scheme) {
  SeedFinder finder(cores, scheme);
  for (func::FuncOp func : functions)
    if (failed(finder.visit(func)))
      return failure();
  return finder.finish();
}
