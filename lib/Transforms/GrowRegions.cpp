//===- GrowRegions.cpp - Group what kernels compute
//-------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRegion.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// At most so many chains read each other's results, as down reads up and gate:
/// a model is not one kernel, and its layers are equal ones.
static constexpr int64_t maxLevels = 2;
/// Chains and elementwise ops.
static constexpr int64_t maxNodes = 64;

namespace {
/// Takes ops in the order of the code.
class RegionGrower {
public:
  explicit RegionGrower(bool isSilent) : isSilent(isSilent) {}

  /// Lets `product` begin a region, or join those that compute what it reads or
  /// multiply the same.
  void addProduct(const RegionOp &product);
  /// A product that continues a chain joins that, any other one stands alone.
  void addToChain(const RegionOp &product);
  void addElementwise(Operation *op);
  std::vector<KernelRegion> takeRegions();

private:
  /// The regions that compute what `member` reads.
  SmallVector<unsigned> producersOf(const RegionOp &member) const;
  /// `op` and what may be computed with it, since nothing else reads that.
  SmallVector<RegionOp> withPrologue(linalg::LinalgOp op) const;
  /// The dimensions of what `member` computes; none if what it reads of
  /// `merged` has other batches than it has.
  std::optional<BatchDims> dimsOf(const RegionOp &member,
                                  ArrayRef<unsigned> merged) const;
  /// Makes one region of `merged` and `members`, the last of which reads the
  /// others, if that can be called anywhere.
  bool merge(ArrayRef<unsigned> merged, ArrayRef<RegionOp> members);
  void remark(Operation *op, const Twine &obstacle) const {
    if (!isSilent)
      emitRemark(op->getLoc(), "computed apart from what it reads: ")
          << obstacle;
  }

  bool isSilent;
  std::vector<std::optional<KernelRegion>> regions;
  DenseMap<Value, unsigned> owners;
  /// Of what regions compute.
  DenseMap<Value, BatchDims> dims;
  /// Elementwise ops of no product's result, by what they compute together:
  /// they join the region of what reads it.
  DenseMap<Value, SmallVector<RegionOp>> prologues;
};
} // namespace

static constexpr StringRef otherBatches =
    "it runs over other batches, but a kernel has all of them in everything "
    "that it computes";

/// Whether `lhs` has all batches of its product.
static bool hasAllBatches(const Product &product) {
  return llvm::count_if(product.lhs.dims, [](auto batch) {
           return batch.has_value();
         }) == int64_t(product.batches.size());
}

std::optional<BatchDims> RegionGrower::dimsOf(const RegionOp &member,
                                              ArrayRef<unsigned> merged) const {
  if (member.product)
    return member.product->result.dims;
  auto op = cast<linalg::LinalgOp>(member.op);
  using LoopBatches = SmallVector<std::optional<unsigned>>;
  std::optional<LoopBatches> known;
  auto loopOf = [](AffineExpr index) {
    return cast<AffineDimExpr>(index).getPosition();
  };
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto owner = owners.find(operand->get());
    if (owner == owners.end() || !llvm::is_contained(merged, owner->second))
      continue;
    LoopBatches batches(op.getNumLoops());
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [index, batch] :
         llvm::zip_equal(map.getResults(), dims.at(operand->get())))
      if (batch && !isa<AffineDimExpr>(index))
        return std::nullopt;
      else if (batch)
        batches[loopOf(index)] = 0;
    if (known && *known != batches)
      return std::nullopt;
    known = batches;
  }
  BatchDims result;
  for (AffineExpr index :
       op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    result.push_back((*known)[loopOf(index)]);
  if (llvm::count(result, std::nullopt) > 2 || result.back())
    return std::nullopt;
  return result;
}

SmallVector<unsigned> RegionGrower::producersOf(const RegionOp &member) const {
  llvm::SmallSetVector<unsigned, 4> producers;
  for (const RegionInput &input : KernelRegion{{member}}.inputs())
    if (auto it = owners.find(input.value); it != owners.end())
      producers.insert(it->second);
  return producers.takeVector();
}

SmallVector<RegionOp> RegionGrower::withPrologue(linalg::LinalgOp op) const {
  SmallVector<RegionOp> ops;
  // What is repeated for more rows or columns is better computed once.
  for (OpOperand *operand : op.getDpsInputOperands())
    if (op.getMatchingIndexingMap(operand).isPermutation())
      llvm::append_range(ops, prologues.lookup(operand->get()));
  ops.push_back({op});
  return ops;
}

bool RegionGrower::merge(ArrayRef<unsigned> merged,
                         ArrayRef<RegionOp> members) {
  const RegionOp &member = members.back();
  std::optional<BatchDims> own = dimsOf(member, merged);
  if (!own)
    return false;
  KernelRegion region;
  for (unsigned part : merged)
    llvm::append_range(region.ops, regions[part]->ops);
  llvm::append_range(region.ops, members);
  if (llvm::any_of(region.ops, [&](const RegionOp &other) {
        return other.op->getBlock() != member.op->getBlock();
      }))
    return false;
  llvm::sort(region.ops, [](const RegionOp &a, const RegionOp &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  int64_t nodes = llvm::count_if(region.ops, [](const RegionOp &op) {
    return !op.product || !op.product->isContinuing;
  });
  if (region.numLevels() > maxLevels || nodes > maxNodes || !region.findPlace())
    return false;
  for (const RegionOp &each : region.ops)
    owners[each.result()] = regions.size();
  dims[member.result()] = *own;
  for (unsigned part : merged)
    regions[part].reset();
  regions.push_back(std::move(region));
  return true;
}

void RegionGrower::addElementwise(Operation *op) {
  RegionOp member{op};
  SmallVector<unsigned> producers = producersOf(member);
  std::string obstacle = findRegionObstacle(op);
  SmallVector<RegionOp> members = withPrologue(cast<linalg::LinalgOp>(op));
  if (producers.empty()) {
    if (obstacle.empty() && isa<linalg::GenericOp>(op) && op->hasOneUse() &&
        !isKnownAtLoad(member.result()))
      prologues[member.result()] = members;
    return;
  }
  if (!obstacle.empty())
    return remark(op, obstacle);
  if (merge(producers, members) || merge(producers, member))
    return;
  for (unsigned producer : producers)
    if (merge(producer, member))
      return;
  if (llvm::none_of(producers, [&](unsigned producer) {
        return dimsOf(member, producer).has_value();
      }))
    remark(op, otherBatches);
}

void RegionGrower::addToChain(const RegionOp &member) {
  SmallVector<unsigned> producers;
  if (member.product->isContinuing)
    producers.push_back(owners.at(member.product->lhs.tensor));
  if (!merge(producers, member))
    merge({}, member);
}

void RegionGrower::addProduct(const RegionOp &member) {
  Product &product = *member.product;
  // What other products compute is the lhs, as in a chain.
  if (product.isAlone() && !owners.contains(product.lhs.tensor) &&
      owners.contains(product.rhs.tensor) && product.lhs.isTransposed)
    product = flipped(product);
  // Results have all batches of their kernel.
  auto hasBatches = [&](const BatchDims &of) {
    return hasAllBatches(product) && haveSameBatches(of, product.lhs.dims);
  };
  llvm::SmallSetVector<unsigned, 4> merged;
  if (auto it = owners.find(product.lhs.tensor); it != owners.end()) {
    if (!hasBatches(dims.at(product.lhs.tensor))) {
      remark(product.contraction, otherBatches);
      merge({}, member);
      return;
    }
    merged.insert(it->second);
  }
  auto sharesRows = [&](const RegionOp &other) {
    return other.product && other.product->lhs.tensor == product.lhs.tensor &&
           other.product->lhs.isTransposed == product.lhs.isTransposed &&
           hasAllBatches(*other.product) && hasBatches(other.product->lhs.dims);
  };
  for (auto [number, region] : llvm::enumerate(regions))
    if (region && llvm::any_of(region->ops, sharesRows))
      merged.insert(number);
  // Weights are known before the kernel is called.
  auto weight = owners.find(product.rhs.tensor);
  bool isKnown = weight == owners.end() || !merged.contains(weight->second);
  if (!isKnown || merged.empty() || !merge(merged.getArrayRef(), member))
    merge({}, member);
}

std::vector<KernelRegion> RegionGrower::takeRegions() {
  std::vector<KernelRegion> result;
  for (std::optional<KernelRegion> &region : regions)
    if (region)
      result.push_back(std::move(*region));
  return result;
}

/// Whether `op` computes each element of its result by itself.
static bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      !linalgOp.isAllParallelLoops() || linalgOp.getNumDpsInputs() == 0)
    return false;
  return isa<linalg::GenericOp, linalg::TransposeOp>(op);
}

std::vector<KernelRegion>
mlir::trn::growRegions(func::FuncOp func, Products &products, bool onlyChains) {
  DenseMap<Operation *, Product *> known;
  for (Product &product : llvm::make_second_range(products))
    known[product.result.tensor.getDefiningOp()] = &product;
  RegionGrower grower(/*isSilent=*/false);
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Product *product = known.lookup(op);
    if (product && onlyChains)
      grower.addToChain({op, product});
    else if (product)
      grower.addProduct({op, product});
    else if (!onlyChains && isElementwise(op))
      grower.addElementwise(op);
  });
  return grower.takeRegions();
}

std::vector<KernelRegion> mlir::trn::growRegions(ArrayRef<RegionOp> ops) {
  RegionGrower grower(/*isSilent=*/true);
  for (const RegionOp &member : ops)
    if (member.product)
      grower.addProduct(member);
    else
      grower.addElementwise(member.op);
  return grower.takeRegions();
}
