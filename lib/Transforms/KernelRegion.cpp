//===- KernelRegion.cpp - What one kernel computes ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelRegion.h"

#include "DimRange.h"
#include "ExpressionBuilder.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Transforms/ProductMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

using Use = RegionInput::Use;

/// What `node` reads.
static SmallVector<RegionInput> inputsOf(const RegionNode &node) {
  SmallVector<RegionInput> inputs;
  if (node.elementwise) {
    for (Value value : cast<linalg::LinalgOp>(node.elementwise).getDpsInputs())
      inputs.push_back({value, Use::Elementwise});
    return inputs;
  }
  inputs.push_back({node.chain.first().lhs.tensor, Use::Rows});
  for (const Product &product : node.chain.products) {
    inputs.push_back({product.rhs.tensor, Use::Weight, product.contraction});
    if (product.rhs.isTransposed && product.isTurnedByHost)
      inputs.back().permutation = swapMatrixDims(product.rhs.dims);
  }
  return inputs;
}

tensor::ExtractSliceOp RegionInput::slice() const {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  return slice && !isTurned() && isInArgument(slice) && !isKnownAtLoad(value)
             ? slice
             : nullptr;
}

bool mlir::trn::isSplat(Value tensor) {
  SplatElementsAttr splat;
  return matchPattern(tensor, m_Constant(&splat));
}

SmallVector<RegionInput> KernelRegion::inputs() const {
  SmallVector<RegionInput> inputs;
  DenseSet<Value> own;
  for (const RegionNode &node : nodes) {
    for (const RegionInput &input : inputsOf(node))
      if (!own.contains(input.value) && !llvm::is_contained(inputs, input) &&
          !(input.use == Use::Elementwise && isSplat(input.value)))
        inputs.push_back(input);
    own.insert(node.result());
  }
  return inputs;
}

const Product &KernelRegion::lastProduct() const {
  auto last = llvm::find_if(llvm::reverse(nodes), [](const RegionNode &node) {
    return !node.elementwise;
  });
  return last->chain.last();
}

int64_t KernelRegion::numProducts() const {
  int64_t count = 0;
  for (const RegionNode &node : nodes)
    count += node.chain.products.size();
  return count;
}

int64_t KernelRegion::numLevels() const {
  DenseMap<Value, int64_t> levels;
  int64_t most = 0;
  for (const RegionNode &node : nodes) {
    int64_t level = 0;
    for (const RegionInput &input : inputsOf(node))
      level = std::max(level, levels.lookup(input.value));
    level += node.elementwise ? 0 : 1;
    levels[node.result()] = level;
    most = std::max(most, level);
  }
  return most;
}

Operation *KernelRegion::opOf(Value result) const {
  for (const RegionNode &node : nodes)
    if (!node.elementwise && node.result() == result)
      return node.chain.last().contraction;
  return result.getDefiningOp();
}

/// Whether `op`, which reads a result of `region`, belongs to it.
static bool isInside(const KernelRegion &region, Operation *op) {
  if (isa<linalg::TransposeOp>(op) && !op->use_empty() &&
      llvm::all_of(op->getUsers(),
                   [&](Operation *user) { return isInside(region, user); }))
    return true;
  return llvm::any_of(region.nodes, [&](const RegionNode &node) {
    return node.elementwise == op ||
           llvm::any_of(node.chain.products, [&](const Product &product) {
             return product.contraction == op;
           });
  });
}

SmallVector<Value> KernelRegion::results() const {
  SmallVector<Value> results;
  for (const RegionNode &node : nodes)
    if (!llvm::all_of(node.result().getUsers(),
                      [&](Operation *user) { return isInside(*this, user); }))
      results.push_back(node.result());
  // Nobody reads it.
  if (results.empty())
    results.push_back(nodes.back().result());
  return results;
}

Operation *KernelRegion::findPlace() const {
  Block *block = nodes.front().op()->getBlock();
  Operation *place = nodes.back().op()->getNextNode();
  for (Value result : results())
    for (Operation *user : result.getUsers())
      if (Operation *reader = block->findAncestorOpInBlock(*user);
          !isInside(*this, user) && reader->isBeforeInBlock(place))
        place = reader;
  bool isKnown = llvm::all_of(inputs(), [&](const RegionInput &input) {
    Operation *op = input.value.getDefiningOp();
    return !op || op->getBlock() != block || op->isBeforeInBlock(place);
  });
  return isKnown ? place : nullptr;
}

//===----------------------------------------------------------------------===//
// What is computed element by element
//===----------------------------------------------------------------------===//

static bool isFloats(Value tensor) {
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  return type && type.hasStaticShape() && type.getRank() != 0 &&
         getElementType(type.getElementType());
}

/// What keeps a kernel from computing `op`, which runs over all elements, or
/// nothing.
static std::string findObstacle(linalg::GenericOp op) {
  if (op.getNumDpsInits() != 1)
    return formatv("it has {0} results", op.getNumDpsInits());
  if (op.hasIndexSemantics())
    return "it computes with indices";
  if (op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)))
    return "it reads what it overwrites";
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isFloats(operand.get()))
      return formatv("it works on {0}, but kernels compute static tensors of "
                     "bf16, f16 and f32",
                     operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (op.isDpsInit(&operand)
            ? !map.isPermutation()
            : !map.isProjectedPermutation(/*allowZeroInResults=*/true))
      return formatv("it reads or writes elements in the order of {0}", map);
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(), captured);
  for (Value value : captured)
    if (!matchPattern(value, m_Constant()))
      return "it reads a scalar that is no constant; make it a tensor<1xf32>";
  for (Operation &inner : op.getBody()->without_terminator())
    if (!isExpressible(&inner))
      return formatv("'{0}' in its body is nothing that the engines compute",
                     inner.getName());
  return "";
}

/// Whether `op` computes each element of its result by itself.
static bool isElementwise(Operation *op) {
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return transpose.hasPureTensorSemantics() &&
           isFloats(transpose->getResult(0));
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasPureTensorSemantics() &&
         generic.getNumDpsInputs() != 0 && generic.isAllParallelLoops();
}

void mlir::trn::dropDestinations(func::FuncOp func) {
  func.walk([](linalg::LinalgOp op) {
    for (OpOperand &init : op.getDpsInitsMutable()) {
      auto type = dyn_cast<RankedTensorType>(init.get().getType());
      auto producer = init.get().getDefiningOp<linalg::LinalgOp>();
      if (!producer || !type || !type.hasStaticShape() || type.getEncoding() ||
          op.payloadUsesValueFromOperand(&init))
        continue;
      OpBuilder builder(op);
      init.set(tensor::EmptyOp::create(builder, op.getLoc(), type.getShape(),
                                       type.getElementType()));
      if (isOpTriviallyDead(producer))
        producer->erase();
    }
  });
}

//===----------------------------------------------------------------------===//
// Growing
//===----------------------------------------------------------------------===//

namespace {
class RegionGrower {
public:
  explicit RegionGrower(ArrayRef<Chain> chains) {
    for (const Chain &chain : chains)
      starts[chain.last().result.tensor.getDefiningOp()] = &chain;
  }

  /// Takes the next op of the function.
  void visit(Operation *op) {
    if (const Chain *chain = starts.lookup(op))
      addChain(*chain);
    else if (isElementwise(op))
      addElementwise(op);
  }
  std::vector<KernelRegion> takeRegions();

private:
  void addChain(const Chain &chain);
  void addElementwise(Operation *op);
  /// The regions that compute what `node` reads.
  SmallVector<unsigned> producersOf(const RegionNode &node) const;
  /// The dimensions of what `node` computes; none if what it reads of `merged`
  /// has other batches than it has.
  std::optional<BatchDims> dimsOf(const RegionNode &node,
                                  ArrayRef<unsigned> merged) const;
  /// Makes one region of `merged` and `node`, if that can be called anywhere.
  bool merge(ArrayRef<unsigned> merged, const RegionNode &node);

  DenseMap<Operation *, const Chain *> starts;
  std::vector<std::optional<KernelRegion>> regions;
  DenseMap<Value, unsigned> owners;
  /// Of what regions compute.
  DenseMap<Value, BatchDims> dims;
};
} // namespace

/// Whether `lhs` has all batches of its product.
static bool hasAllBatches(const Product &product) {
  return llvm::count_if(product.lhs.dims, [](auto batch) {
           return batch.has_value();
         }) == int64_t(product.batches.size());
}

std::optional<BatchDims> RegionGrower::dimsOf(const RegionNode &node,
                                              ArrayRef<unsigned> merged) const {
  if (!node.elementwise)
    return node.chain.last().result.dims;
  auto op = cast<linalg::LinalgOp>(node.elementwise);
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

SmallVector<unsigned> RegionGrower::producersOf(const RegionNode &node) const {
  llvm::SmallSetVector<unsigned, 4> producers;
  for (const RegionInput &input : inputsOf(node))
    if (auto it = owners.find(input.value); it != owners.end())
      producers.insert(it->second);
  return producers.takeVector();
}

bool RegionGrower::merge(ArrayRef<unsigned> merged, const RegionNode &node) {
  std::optional<BatchDims> own = dimsOf(node, merged);
  if (!own)
    return false;
  KernelRegion region;
  if (llvm::any_of(merged, [&](unsigned part) {
        return regions[part]->nodes.front().op()->getBlock() !=
               node.op()->getBlock();
      }))
    return false;
  for (unsigned part : merged) {
    llvm::append_range(region.nodes, regions[part]->nodes);
    region.parts.push_back(*regions[part]);
  }
  region.nodes.push_back(node);
  llvm::sort(region.nodes, [](const RegionNode &a, const RegionNode &b) {
    return a.op()->isBeforeInBlock(b.op());
  });
  if (region.numLevels() > KernelRegion::maxLevels ||
      region.nodes.size() > KernelRegion::maxNodes || !region.findPlace())
    return false;
  if (!merged.empty() && !node.elementwise)
    region.parts.push_back({{node}, {}});
  for (const RegionNode &member : region.nodes)
    owners[member.result()] = regions.size();
  dims[node.result()] = *own;
  for (unsigned part : merged)
    regions[part].reset();
  regions.push_back(std::move(region));
  return true;
}

/// Says that `op` is no part of the kernel that computes what it reads.
static void remarkOtherBatches(Operation *op) {
  emitRemark(op->getLoc(), "computed apart from what it reads: it runs over "
                           "other batches, but a kernel has all of them in "
                           "everything that it computes");
}

void RegionGrower::addElementwise(Operation *op) {
  RegionNode node{{}, op};
  SmallVector<unsigned> producers = producersOf(node);
  if (producers.empty())
    return;
  auto generic = dyn_cast<linalg::GenericOp>(op);
  std::string obstacle = generic ? findObstacle(generic) : "";
  if (!obstacle.empty()) {
    emitRemark(op->getLoc(), "computed apart from what it reads: ") << obstacle;
    return;
  }
  if (merge(producers, node))
    return;
  for (unsigned producer : producers)
    if (merge(producer, node))
      return;
  if (llvm::none_of(producers, [&](unsigned producer) {
        return dimsOf(node, producer).has_value();
      }))
    remarkOtherBatches(op);
}

void RegionGrower::addChain(const Chain &chain) {
  RegionNode node{chain};
  Product &first = node.chain.products.front();
  // What other products compute is the lhs, as in a chain.
  if (chain.products.size() == 1 && !owners.contains(first.lhs.tensor) &&
      owners.contains(first.rhs.tensor) && first.lhs.isTransposed)
    first = flipped(first);
  // Results have all batches of their kernel.
  auto hasBatches = [&](const BatchDims &of) {
    return hasAllBatches(first) && haveSameBatches(of, first.lhs.dims);
  };
  llvm::SmallSetVector<unsigned, 4> merged;
  if (auto it = owners.find(first.lhs.tensor); it != owners.end()) {
    if (!hasBatches(dims.at(first.lhs.tensor))) {
      remarkOtherBatches(first.contraction);
      merge({}, {chain});
      return;
    }
    merged.insert(it->second);
  }
  // Weights are known before the kernel is called.
  bool readsWeights =
      llvm::none_of(node.chain.products, [&](const Product &product) {
        return owners.contains(product.rhs.tensor);
      });
  auto sharesRows = [&](const RegionNode &other) {
    if (other.elementwise)
      return false;
    const Product &start = other.chain.first();
    return start.lhs.tensor == first.lhs.tensor &&
           start.lhs.isTransposed == first.lhs.isTransposed &&
           hasAllBatches(start) && hasBatches(start.lhs.dims);
  };
  for (auto [number, region] : llvm::enumerate(regions))
    if (region && llvm::any_of(region->nodes, sharesRows))
      merged.insert(number);
  if (!readsWeights || merged.empty() || !merge(merged.getArrayRef(), node))
    merge({}, {chain});
}

std::vector<KernelRegion> RegionGrower::takeRegions() {
  std::vector<KernelRegion> result;
  for (std::optional<KernelRegion> &region : regions)
    if (region)
      result.push_back(std::move(*region));
  return result;
}

std::vector<KernelRegion> mlir::trn::growRegions(func::FuncOp func,
                                                 ArrayRef<Chain> chains) {
  RegionGrower grower(chains);
  func.walk<WalkOrder::PreOrder>([&](Operation *op) { grower.visit(op); });
  return grower.takeRegions();
}
