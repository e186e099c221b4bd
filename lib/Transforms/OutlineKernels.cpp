//===- OutlineKernels.cpp - Move products into kernels --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A chain in a function on tensors
//
//   %y = X * U (rounded);  %o = %y * V (rounded)
//
// becomes a call; the function keeps its signature and everything else in it:
//
//   %xb = bufferization.to_buffer %x read_only
//   %ob = memref.alloc()
//   call @main_kernel(%xb, %ub, %vb, %ob)
//   %o = bufferization.to_tensor %ob restrict
//
// and a kernel, which CreateKernel.cpp writes.
//
//===----------------------------------------------------------------------===//

#include "CreateKernel.h"
#include "WidenedWeights.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Obstacles.h"
#include "trn/Transforms/CutKernel.h"
#include "trn/Transforms/EmitLinalg.h"
#include "trn/Transforms/KernelGraph.h"
#include "trn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"

namespace mlir::trn {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A region and the kernel that computes it.
struct OutlinedKernel {
  KernelRegion region;
  func::FuncOp kernel;
};

/// Rewrites one function.
class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols,
           std::vector<func::FuncOp> &kernels, const Machine &machine,
           const OutlineKernelsOptions &options)
      : func(func), symbols(symbols), kernels(kernels), machine(machine),
        options(options), builder(func.getContext()) {}

  /// Creates the next kernels, which compute `region`; none, and a remark, if
  /// they would round differently or have no plan.
  void outline(const KernelRegion &region);
  /// Replaces the regions that have kernels by calls.
  void replaceRegions();

private:
  void outlineChain(const Chain &chain);
  /// A kernel for each product, with the intermediates in HBM.
  SmallVector<KernelRegion> cut(const Chain &chain) const;
  /// A kernel for each of `regions`, or none; `refusal` says that there is no
  /// plan.
  bool createKernels(ArrayRef<KernelRegion> regions, std::string &refusal);
  /// A kernel that computes the same.
  func::FuncOp findEqual(func::FuncOp kernel) const;
  void replace(ArrayRef<OutlinedKernel> group);
  /// A weight stored the other way round is transposed by the host, once.
  Value transpose(const RegionInput &weight);
  /// What a kernel is given for `input`.
  Value takenFor(const RegionInput &input);
  Value toBuffer(Value tensor);

  func::FuncOp func;
  SymbolTable &symbols;
  /// All kernels of the module.
  std::vector<func::FuncOp> &kernels;
  const Machine &machine;
  const OutlineKernelsOptions &options;
  OpBuilder builder;
  /// How many of them bear the function's name.
  int64_t count = 0;
  DenseMap<std::pair<Value, Attribute>, Value> transposes;
  /// What computes each region, in source order.
  std::vector<SmallVector<OutlinedKernel>> outlined;
};
} // namespace

SmallVector<KernelRegion> Outliner::cut(const Chain &chain) const {
  // Implicitly transposed, a kernel hands over Y^T.
  bool implicit = options.transpose != TransposeRequest::Explicit;
  SmallVector<KernelRegion> parts;
  for (Product product : chain.products) {
    if (!parts.empty())
      product.lhs.isTransposed = implicit;
    if (parts.size() + 1 != chain.products.size()) {
      product.resultType = product.operandType;
      product.result.isTransposed = implicit;
    }
    parts.push_back(regionOf({{product}}));
  }
  return parts;
}

/// Why there is no plan for `kernel` on the machine, or nothing.
static std::string findObstacle(func::FuncOp kernel, const Machine &machine) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return llvm::toString(limited.takeError());
  std::string reason;
  ScopedDiagnosticHandler handler(kernel.getContext(),
                                  [&](Diagnostic &diagnostic) {
                                    reason = diagnostic.str();
                                    return success();
                                  });
  FailureOr<KernelGraph> source = buildKernelGraph(kernel);
  if (failed(source))
    return "a kernel cannot compute it: " + reason;
  planning::Graph legal =
      planning::legalize(source->graph, planning::TransposeMode::Implicit);
  if (llvm::Error error = legal.check())
    return llvm::toString(std::move(error));
  return search::findObstacle(source->graph, {}, *limited).value_or("");
}

/// Says that a chain is left alone; the parts of a larger region may be kernels
/// yet, so its reason becomes `refusal`.
static void refuse(const KernelRegion &region, const RoundingObstacle &obstacle,
                   std::string &refusal) {
  if (!region.isChain()) {
    refusal = obstacle.reason;
    return;
  }
  InFlightDiagnostic remark = remarkLeftAlone(obstacle.op, obstacle.reason);
  if (obstacle.rounding)
    remark.attachNote(*obstacle.rounding) << "rounded here";
}

func::FuncOp Outliner::findEqual(func::FuncOp kernel) const {
  auto found = llvm::find_if(
      kernels, [&](func::FuncOp other) { return areEqual(kernel, other); });
  return found == kernels.end() ? func::FuncOp() : *found;
}

bool Outliner::createKernels(ArrayRef<KernelRegion> regions,
                             std::string &refusal) {
  SmallVector<OutlinedKernel> created;
  size_t before = kernels.size();
  for (const KernelRegion &region : regions) {
    std::string name = (func.getName() + "_kernel").str();
    if (int64_t number = count + kernels.size() - before)
      name += "_" + std::to_string(number + 1);
    func::FuncOp kernel = createKernel(builder, symbols, name, region);
    func::FuncOp equal = findEqual(kernel);
    refusal.clear();
    auto rounding = findRoundingObstacle(kernel, region, options.allowRounding);
    if (rounding)
      refuse(region, *rounding, refusal);
    else if (!equal)
      refusal = findObstacle(kernel, machine);
    bool isRefused = rounding || !refusal.empty();
    if (isRefused || equal)
      symbols.erase(kernel);
    else
      kernels.push_back(kernel);
    if (!isRefused) {
      created.push_back({region, equal ? equal : kernel});
      continue;
    }
    for (func::FuncOp other : ArrayRef(kernels).drop_front(before))
      symbols.erase(other);
    kernels.resize(before);
    return false;
  }
  count += kernels.size() - before;
  for (auto &[region, kernel] : created) {
    remarkWidenedWeights(region, kernel.getName());
    remark::passed(region.lastProduct().contraction->getLoc(),
                   remark::RemarkOpts::name("Outlined")
                       .category("trn-outline-kernels")
                       .function(func.getName()))
        << remark::metric("kernel", kernel.getName())
        << remark::metric("products", region.numProducts());
  }
  outlined.push_back(std::move(created));
  return true;
}

void Outliner::outlineChain(const Chain &chain) {
  bool isSequential = options.strategy == StrategyRequest::Sequential;
  std::string refusal;
  if (!isSequential && createKernels(regionOf(chain), refusal))
    return;
  bool maySplit = options.strategy == StrategyRequest::Auto &&
                  chain.products.size() > 1 && !refusal.empty();
  if ((isSequential || maySplit) && createKernels(cut(chain), refusal))
    return;
  if (refusal.empty())
    return;
  auto isTurned = [](const Product &product) {
    return product.rhs.isTransposed && !product.isTurnedByHost;
  };
  if (llvm::none_of(chain.products, isTurned)) {
    remarkLeftAlone(chain.last().contraction, refusal);
    return;
  }
  // No plan turns the weights on the core.
  Chain other = chain;
  for (Product &product : other.products)
    product.isTurnedByHost = true;
  outlineChain(other);
}

void Outliner::outline(const KernelRegion &region) {
  if (region.isChain())
    return outlineChain(region.nodes.front().chain);
  std::string refusal;
  if (createKernels(region, refusal))
    return;
  if (!refusal.empty())
    emitRemark(region.nodes.back().op()->getLoc(),
               "computed apart from what it reads: ")
        << refusal;
  for (const KernelRegion &part : region.parts)
    outline(part);
}

Value Outliner::transpose(const RegionInput &weight) {
  Value stored = weight.value;
  Value &transposed =
      transposes[{stored, builder.getDenseI64ArrayAttr(weight.permutation)}];
  if (!transposed) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfterValue(stored);
    transposed =
        emitTranspose(builder, stored.getLoc(), stored, weight.permutation);
  }
  return transposed;
}

Value Outliner::takenFor(const RegionInput &input) {
  if (tensor::ExtractSliceOp slice = input.slice())
    return slice.getSource();
  return input.isTurned() ? transpose(input) : input.value;
}

Value Outliner::toBuffer(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::ToBufferOp::create(
      builder, tensor.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), tensor,
      /*read_only=*/true);
}

void Outliner::replace(ArrayRef<OutlinedKernel> group) {
  const KernelRegion &last = group.back().region;
  Location loc = last.lastProduct().contraction->getLoc();
  builder.setInsertionPoint(last.findPlace());
  SmallVector<Value> buffers; // of the results of the kernel before
  SmallVector<Value> intermediates;
  for (auto [position, outlined] : llvm::enumerate(group)) {
    auto [region, kernel] = outlined;
    SmallVector<Value> operands = std::move(buffers);
    SmallVector<RegionInput> inputs = region.inputs();
    for (const RegionInput &input : llvm::drop_begin(inputs, operands.size()))
      operands.push_back(toBuffer(takenFor(input)));
    for (Value result : region.results()) {
      Type type = kernel.getArgumentTypes()[operands.size()];
      buffers.push_back(memref::AllocOp::create(builder, result.getLoc(),
                                                cast<MemRefType>(type),
                                                builder.getI64IntegerAttr(64)));
      operands.push_back(buffers.back());
    }
    func::CallOp::create(builder, region.lastProduct().contraction->getLoc(),
                         kernel, operands);
    if (position + 1 != group.size())
      llvm::append_range(intermediates, buffers);
  }
  for (Value intermediate : intermediates)
    memref::DeallocOp::create(builder, loc, intermediate);
  // Not writable: a kernel that reads the tensor reads the buffer itself once
  // `to_buffer` is folded, where bufferization does not see it.
  for (auto [replaced, buffer] : llvm::zip(last.results(), buffers)) {
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, memref::getTensorTypeFromMemRefType(buffer.getType()),
        buffer, /*restrict=*/true);
    replaced.replaceAllUsesWith(tensor);
    if (Operation *dead = replaced.getDefiningOp(); dead->use_empty())
      dead->erase();
  }
}

void Outliner::replaceRegions() {
  DenseMap<Operation *, unsigned> order;
  func.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { order[op] = order.size(); });
  SmallVector<std::pair<unsigned, size_t>> calls;
  for (auto [number, group] : llvm::enumerate(outlined))
    calls.push_back({order.lookup(group.back().region.findPlace()), number});
  llvm::sort(calls);
  // The last one first: what replaces a region reads the values of those
  // before.
  for (auto [place, number] : llvm::reverse(calls))
    replace(outlined[number]);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether `func` may return the transpose of `product`, which it returns: all
/// who call it must know. Otherwise a remark says what is in the way.
static bool mayTransposeOutput(func::FuncOp func, const Product &product) {
  auto isReturn = llvm::IsaPred<func::ReturnOp>;
  if (llvm::none_of(product.result.tensor.getUsers(), isReturn))
    return false;
  auto keep = [&](StringRef reason) {
    mlir::emitRemark(func.getLoc(), "function keeps its output layout: ")
        << reason;
    return false;
  };
  if (!product.batches.empty())
    return keep("it returns batches of matrices");
  if (!product.result.tensor.hasOneUse())
    return keep("the product that it returns has other uses");
  if (!llvm::hasSingleElement(func.getOps<func::ReturnOp>()))
    return keep("it returns from several places");
  auto uses = SymbolTable::getSymbolUses(func, func->getParentOp());
  if (!func.isPublic() || !uses || !uses->empty())
    return keep("other code of the module refers to it, or it is private");
  return true;
}

/// States that `func` returns what its return op returns now.
static void updateResultTypes(func::FuncOp func) {
  for (auto ret : func.getOps<func::ReturnOp>())
    func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                   ret.getOperandTypes()));
}

namespace {
struct OutlineKernelsPass final
    : trn::impl::OutlineKernelsBase<OutlineKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    remarkNested();
    SymbolTable symbols(getOperation());
    std::vector<func::FuncOp> kernels;
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isExternal() && !isKernel(func) &&
          failed(outline(func, symbols, kernels)))
        return signalPassFailure();
  }

  /// Says of products in other modules that they are left alone.
  void remarkNested() {
    getOperation().walk([&](linalg::LinalgOp op) {
      auto module = op->getParentOfType<ModuleOp>();
      if (module != getOperation() && isProductLike(op))
        remarkLeftAlone(op, "it is in a module inside of the module that is "
                            "compiled; move its function out of it");
    });
  }

  /// A strategy is asked for the chains of the source.
  SmallVector<Chain> orderProducts(SmallVector<Chain> chains,
                                   const Machine &machine) {
    if (strategy != StrategyRequest::Auto)
      return chains;
    OpBuilder builder(&getContext());
    IRMapping results; // of chains before, which later ones may read
    SmallVector<Chain> ordered;
    for (Chain &chain : chains) {
      for (Product &product : chain.products) {
        product.lhs.tensor = results.lookupOrDefault(product.lhs.tensor);
        product.rhs.tensor = results.lookupOrDefault(product.rhs.tensor);
      }
      llvm::append_range(ordered,
                         associate(chain, machine, allowRounding, builder));
      results.map(chain.last().result.tensor,
                  ordered.back().last().result.tensor);
    }
    return ordered;
  }

  LogicalResult outline(func::FuncOp func, SymbolTable &symbols,
                        std::vector<func::FuncOp> &kernels) {
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return failure();
    OutlineKernelsOptions options{strategy, transpose, outputLayout,
                                  allowRounding};
    dropDestinations(func);
    Outliner outliner(func, symbols, kernels, *machine, options);
    SmallVector<Chain> chains;
    for (Chain &chain :
         orderProducts(findChains(func, allowRounding), *machine)) {
      Product &last = chain.products.back();
      if (!hasCountableFlops(chain)) {
        remarkLeftAlone(last.contraction, "it needs more than 2^63 operations");
        continue;
      }
      if (outputLayout == OutputLayout::Transposed && !last.result.isTransposed)
        last.result.isTransposed = mayTransposeOutput(func, last);
      chains.push_back(chain);
    }
    // A strategy is for a chain.
    std::vector<KernelRegion> regions;
    if (strategy == StrategyRequest::Auto)
      regions = growRegions(func, chains);
    else
      llvm::append_range(regions, llvm::map_range(chains, regionOf));
    for (const KernelRegion &region : regions)
      outliner.outline(region);
    outliner.replaceRegions();
    updateResultTypes(func);
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    return success();
  }
};
} // namespace
