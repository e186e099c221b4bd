//===- GrowRegions.cpp - Group what kernels compute -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchLoops.h"
#include "ElementReaders.h"
#include "KernelRegion.h"
#include "StoredWeights.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Normalize/ReductionMatcher.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// Maximum depth of dependent chains in a kernel (2: up and gate, then down): a
/// model is not one kernel, and its layers are equal ones.
static constexpr int64_t maxLevels = 2;
static constexpr int64_t maxNodes = 64; // chains and elementwise ops

namespace {
/// Takes ops in the order of the code.
class RegionGrower {
public:
  RegionGrower(func::FuncOp func, bool isSilent)
      : dimensions(func), isSilent(isSilent) {}

  /// Lets `product` begin a region, or join those that compute what it reads or
  /// multiply the same.
  void addProduct(const RegionOp &product);
  /// A product that continues a chain joins that, any other one stands alone.
  void addToChain(const RegionOp &product);
  /// Takes what runs over all elements of what it reads, and may reduce them.
  void addRowOp(Operation *op);
  /// Makes regions of what stands alone before others, or behind them.
  void addRest();
  std::vector<KernelRegion> takeRegions();

private:
  /// Lets `member`, the last of `members`, which joins no region, begin one if
  /// it may or reads one that is apart, or join that of what reads it.
  bool begin(const RegionOp &member, ArrayRef<RegionOp> members);
  /// The region that `value` is computed in, if any.
  std::optional<unsigned> ownerOf(Value value) const {
    auto it = owners.find(value.getDefiningOp());
    return it == owners.end() ? std::nullopt : std::optional(it->second);
  }
  /// Whether it is such a region that no other op joins.
  bool isApart(std::optional<unsigned> region) const {
    return region && regions[*region]->isApart();
  }
  bool readsApart(Operation *op) const {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isApart(ownerOf(operand));
    });
  }
  /// The regions that compute what `region` reads.
  SmallVector<unsigned> producersOf(const KernelRegion &region) const;
  /// Drops those that are apart, or compute what a product of another one must
  /// read from HBM.
  void keepApart(SmallVectorImpl<unsigned> &producers) const;
  /// Whether regions that read what `region` computes compute what it reads:
  /// they would all be called at its `place`.
  bool isCyclic(const KernelRegion &region, Operation *place) const;
  /// `op` and what may be computed with it, since nothing else reads that.
  SmallVector<RegionOp> withPrologue(linalg::LinalgOp op) const;
  /// Which loops of `op` are batches of what it reads of `merged`; none if
  /// these do not agree.
  std::optional<BatchDims> loopsOf(linalg::LinalgOp op,
                                   ArrayRef<unsigned> merged) const;
  /// The dimensions of what `members`, the last of which reads the others, read
  /// and compute; whether the last one has the batches of what it reads of
  /// `merged`.
  bool findDims(ArrayRef<RegionOp> members, ArrayRef<unsigned> merged,
                DenseMap<Value, BatchDims> &found) const;
  /// Makes one region of `merged` and `members`, the last of which reads the
  /// others, if that can be called anywhere.
  bool merge(ArrayRef<unsigned> merged, ArrayRef<RegionOp> members);
  void remark(Operation *op, const Twine &obstacle) const {
    if (!isSilent)
      emitRemark(op->getLoc(), "not in the kernel of its operands: ")
          << obstacle;
  }

  Dimensions dimensions;
  mutable LoadedValues loaded; // it remembers
  bool isSilent;
  std::vector<std::optional<KernelRegion>> regions;
  /// Where they are called.
  std::vector<Operation *> places;
  /// By what reads and computes in them.
  DenseMap<Operation *, unsigned> owners;
  /// Of what regions compute.
  DenseMap<Value, BatchDims> dims;
  /// Elementwise ops of no product's result, by what they compute together:
  /// they join the region of what reads it.
  DenseMap<Value, SmallVector<RegionOp>> prologues;
  /// Elementwise ops that joined no region when they came.
  SmallVector<Operation *> rest;
};
} // namespace

static constexpr StringRef otherBatches =
    "it runs over other batches, but a kernel has all of them in everything "
    "that it computes";

std::optional<BatchDims>
RegionGrower::loopsOf(linalg::LinalgOp op, ArrayRef<unsigned> merged) const {
  std::optional<BatchDims> known;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    std::optional<unsigned> owner = ownerOf(operand->get());
    if (!owner || !(llvm::is_contained(merged, *owner) || isApart(owner)))
      continue;
    BatchDims batches(op.getNumLoops());
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [index, batch] :
         llvm::zip_equal(map.getResults(), dims.at(operand->get())))
      if (std::optional<unsigned> loop = loopOf(index); batch && loop)
        batches[*loop] = 0;
      else if (batch)
        return std::nullopt;
    if (known && *known != batches)
      return std::nullopt;
    known = batches;
  }
  return known ? known : chooseLoops(op, dimensions);
}

bool RegionGrower::findDims(ArrayRef<RegionOp> members,
                            ArrayRef<unsigned> merged,
                            DenseMap<Value, BatchDims> &found) const {
  const RegionOp &last = members.back();
  if (last.product) {
    found[last.result()] = last.product->result.dims;
    for (const RegionOp &widened : members.drop_back())
      found[widened.result()] = last.product->rhs.dims;
    return true;
  }
  auto op = cast<linalg::LinalgOp>(last.op);
  std::optional<BatchDims> loops = loopsOf(op, merged);
  if (!loops)
    return false;
  BatchDims &own = found[last.result()] =
      dimsIn(op.getMatchingIndexingMap(op.getDpsInitOperand(0)), *loops);
  // Matrices end with their columns, what is one column may end with a batch.
  int64_t rank = llvm::count(own, std::nullopt);
  if (rank > 2 || own.empty() || (own.back() && rank != 1))
    return false;
  // Those of what stands before it, from the last one on, follow.
  for (const RegionOp &member : llvm::reverse(members)) {
    auto reader = cast<linalg::LinalgOp>(member.op);
    if (member.op != last.op) {
      AffineMap map =
          reader.getMatchingIndexingMap(reader.getDpsInitOperand(0));
      loops.emplace(reader.getNumLoops());
      for (auto [index, batch] :
           llvm::zip_equal(map.getResults(), found.at(member.result())))
        (*loops)[*loopOf(index)] = batch;
    }
    for (OpOperand *operand : reader.getDpsInputOperands())
      found.try_emplace(operand->get(),
                        dimsIn(reader.getMatchingIndexingMap(operand), *loops));
  }
  return true;
}

SmallVector<unsigned>
RegionGrower::producersOf(const KernelRegion &region) const {
  llvm::SmallSetVector<unsigned, 4> producers;
  for (const RegionInput &input : region.inputs())
    if (std::optional<unsigned> owner = ownerOf(input.value))
      producers.insert(*owner);
  return producers.takeVector();
}

void RegionGrower::keepApart(SmallVectorImpl<unsigned> &producers) const {
  SmallVector<unsigned> apart;
  for (unsigned producer : producers)
    for (const RegionOp &member : regions[producer]->ops)
      if (member.product && meetsLhs(*member.product))
        if (std::optional<unsigned> owner = ownerOf(member.product->lhs.tensor);
            owner && *owner != producer)
          apart.push_back(*owner);
  llvm::erase_if(producers, [&](unsigned producer) {
    return llvm::is_contained(apart, producer) || isApart(producer);
  });
}

bool RegionGrower::isCyclic(const KernelRegion &region,
                            Operation *place) const {
  llvm::SmallSetVector<unsigned, 4> readers;
  auto addReaders = [&](const KernelRegion &region) {
    for (const RegionOp &member : region.ops)
      for (Operation *user : member.result().getUsers())
        if (auto it = owners.find(user); it != owners.end())
          readers.insert(it->second);
  };
  addReaders(region);
  SmallVector<unsigned> producers = producersOf(region);
  // They become more while they are visited.
  for (size_t i = 0; i < readers.size(); ++i)
    if (llvm::is_contained(producers, readers[i]))
      return true;
    else if (places[readers[i]] == place)
      addReaders(*regions[readers[i]]);
  return false;
}

SmallVector<RegionOp> RegionGrower::withPrologue(linalg::LinalgOp op) const {
  llvm::SmallSetVector<Operation *, 4> ops;
  // What is repeated for more rows or columns, or known when weights are
  // loaded, is better computed once.
  for (OpOperand *operand : op.getDpsInputOperands())
    if (auto it = prologues.find(operand->get());
        it != prologues.end() && !ownerOf(operand->get()) &&
        op.getMatchingIndexingMap(operand).isPermutation() &&
        !loaded.contains(operand->get()))
      // Others may have a part of it, too.
      for (const RegionOp &part : it->second)
        if (!ownerOf(part.result()))
          ops.insert(part.op);
  ops.insert(op);
  return llvm::map_to_vector(ops, [](Operation *op) { return RegionOp{op}; });
}

bool RegionGrower::merge(ArrayRef<unsigned> merged,
                         ArrayRef<RegionOp> members) {
  const RegionOp &member = members.back();
  DenseMap<Value, BatchDims> own;
  if (!findDims(members, merged, own))
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
  if (region.numLevels() > maxLevels || nodes > maxNodes)
    return false;
  Operation *place = region.findPlace([&](Operation *op) -> Operation * {
    auto it = owners.find(op);
    return it == owners.end() ? nullptr : places[it->second];
  });
  if (!place || isCyclic(region, place))
    return false;
  for (const RegionOp &each : region.ops)
    owners[each.op] = owners[each.reader()] = regions.size();
  for (const RegionOp &each : members)
    dims[each.result()] = own.at(each.result());
  for (unsigned part : merged)
    regions[part].reset();
  regions.push_back(std::move(region));
  places.push_back(place);
  return true;
}

bool RegionGrower::begin(const RegionOp &member, ArrayRef<RegionOp> members) {
  Operation *op = member.op;
  // What follows from weights alone is reduced once, when they are loaded.
  if (readsApart(op) || (beginsRegion(op) && !loaded.contains(member.result())))
    return merge({}, members) || merge({}, member);
  bool isPrologue =
      isa<linalg::GenericOp>(op) && (op->hasOneUse() || isReduced(op));
  if (isPrologue)
    prologues[member.result()] = llvm::to_vector(members);
  return isPrologue;
}

void RegionGrower::addRowOp(Operation *op) {
  RegionOp member{op};
  SmallVector<unsigned> producers = producersOf({{member}});
  keepApart(producers);
  std::string obstacle = findRegionObstacle(op);
  SmallVector<RegionOp> members = withPrologue(cast<linalg::LinalgOp>(op));
  if (!obstacle.empty()) {
    if (!producers.empty())
      remark(op, obstacle);
    return;
  }
  rest.push_back(op);
  if (producers.empty()) {
    begin(member, members);
    return;
  }
  if (merge(producers, members) || merge(producers, member))
    return;
  for (unsigned producer : producers)
    if (merge(producer, member))
      return;
  // As a sum that waits for other cores, too.
  if ((beginsRegion(op) || isReduced(op) || readsApart(op)) &&
      begin(member, members))
    return;
  DenseMap<Value, BatchDims> unused;
  if (llvm::none_of(producers, [&](unsigned producer) {
        return findDims(member, producer, unused);
      }))
    remark(op, otherBatches);
}

void RegionGrower::addRest() {
  // What moves elements is better left to the host, if it computes nothing.
  llvm::erase_if(rest, [&](Operation *op) {
    return op->use_empty() || owners.contains(op) ||
           loaded.contains(op->getResult(0)) || !isa<linalg::GenericOp>(op) ||
           llvm::hasSingleElement(op->getRegion(0).front());
  });
  const DenseSet<Operation *> all(rest.begin(), rest.end());
  DenseSet<Operation *> chosen;
  auto isOfKernel = [&](Operation *op) {
    return op && (owners.contains(op) || chosen.contains(op));
  };
  auto isOfHost = [&](Value value) {
    return !loaded.contains(value) && isBetween(value, [&](Operation *op) {
      return owners.contains(op) || all.contains(op);
    });
  };
  auto readsHost = [&](Operation *op) {
    return llvm::any_of(cast<linalg::GenericOp>(op).getDpsInputs(), isOfHost);
  };
  auto readsKernel = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isOfKernel(findSource(operand).getDefiningOp());
    });
  };
  // Between host code, it would be a launch of its own.
  for (Operation *op : llvm::reverse(rest)) {
    SmallVector<Operation *> readers = readersOfViews(op->getResult(0));
    if (regions.empty() || llvm::all_of(readers, isOfKernel) ||
        (!readsHost(op) && llvm::any_of(readers, [&](Operation *reader) {
          return isOfKernel(reader) ||
                 reader->hasTrait<OpTrait::IsTerminator>();
        })))
      chosen.insert(op);
  }
  for (Operation *op : rest)
    if (readsKernel(op) && !readsHost(op))
      chosen.insert(op);
  const unsigned first = regions.size();
  llvm::erase_if(rest, [&](Operation *op) { return !chosen.contains(op); });
  for (Operation *op : rest) {
    SmallVector<unsigned> producers = producersOf({{RegionOp{op}}});
    llvm::erase_if(producers,
                   [&](unsigned producer) { return producer < first; });
    if (!merge(producers, RegionOp{op}) && !producers.empty())
      merge({}, RegionOp{op});
  }
}

void RegionGrower::addToChain(const RegionOp &member) {
  SmallVector<unsigned> producers;
  if (member.product->isContinuing)
    producers.push_back(*ownerOf(member.product->lhs.tensor));
  if (!merge(producers, withWidening(member)))
    merge({}, withWidening(member));
}

void RegionGrower::addProduct(const RegionOp &member) {
  Product &product = *member.product;
  if (product.isApart)
    return (void)merge({}, withWidening(member));
  // What other products compute is the lhs, as in a chain.
  if (product.isAlone() && !ownerOf(product.lhs.tensor) &&
      ownerOf(product.rhs.tensor) && product.lhs.isTransposed)
    product = flipped(product);
  // Results have all batches of their kernel.
  auto hasBatches = [&](const BatchDims &of) {
    return hasAllBatches(product) && haveSameBatches(of, product.lhs.dims);
  };
  llvm::SmallSetVector<unsigned, 4> merged;
  if (std::optional<unsigned> owner = ownerOf(product.lhs.tensor);
      owner && !isApart(owner)) {
    bool hasOthers = !hasBatches(dims.at(product.lhs.tensor));
    if (hasOthers)
      remark(product.contraction, otherBatches);
    bool leavesNoRoom = regions[*owner]->numLevels() + 1 == maxLevels &&
                        !product.isContinuing && hasMaxima(product);
    if (hasOthers || meetsLhs(product) || leavesNoRoom)
      return (void)merge({}, withWidening(member));
    merged.insert(*owner);
  }
  auto sharesRows = [&](const RegionOp &other) {
    return other.product && other.product->lhs.tensor == product.lhs.tensor &&
           other.product->lhs.isTransposed == product.lhs.isTransposed &&
           hasAllBatches(*other.product) && hasBatches(other.product->lhs.dims);
  };
  for (auto [number, region] : llvm::enumerate(regions))
    if (region && !region->isApart() && llvm::any_of(region->ops, sharesRows))
      merged.insert(number);
  // Weights are known before the kernel is called.
  auto owner = ownerOf(product.rhs.tensor);
  bool isKnown = !owner || !merged.contains(*owner);
  if (!isKnown || merged.empty() ||
      !merge(merged.getArrayRef(), withWidening(member)))
    merge({}, withWidening(member));
}

std::vector<KernelRegion> RegionGrower::takeRegions() {
  addRest();
  std::vector<KernelRegion> result;
  for (std::optional<KernelRegion> &region : regions)
    if (region)
      result.push_back(std::move(*region));
  return result;
}

std::vector<KernelRegion>
mlir::trn::growRegions(func::FuncOp func, Products &products, bool onlyChains) {
  DenseMap<Operation *, Product *> known;
  for (Product &product : llvm::make_second_range(products))
    known[product.result.tensor.getDefiningOp()] = &product;
  RegionGrower grower(func, /*isSilent=*/false);
  func.walk<WalkOrder::PreOrder>([&](Operation *op) {
    Product *product = known.lookup(op);
    if (product && onlyChains)
      grower.addToChain({op, product});
    else if (product)
      grower.addProduct({op, product});
    else if (!onlyChains && isRowOp(op))
      grower.addRowOp(op);
  });
  return grower.takeRegions();
}

std::vector<KernelRegion> mlir::trn::growRegions(ArrayRef<RegionOp> ops) {
  if (ops.empty())
    return {};
  RegionGrower grower(ops.front().op->getParentOfType<func::FuncOp>(),
                      /*isSilent=*/true);
  for (const RegionOp &member : ops)
    if (member.product)
      grower.addProduct(member);
    else
      grower.addRowOp(member.op);
  return grower.takeRegions();
}
