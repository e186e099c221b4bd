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

#include "AssociateChain.h"
#include "CreateKernel.h"
#include "ElementReaders.h"
#include "PlaceReshapes.h"
#include "RemarkHostOps.h"
#include "StoredHeads.h"
#include "StoredWeights.h"
#include "TransposeOutputs.h"
#include "VendorLoops.h"
#include "WidenedWeights.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Search/Obstacles.h"
#include "trn/Transforms/Lower/KernelGraph.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/LoadedValues.h"
#include "trn/Transforms/Outline/CutKernel.h"
#include "trn/Transforms/Outline/Passes.h"

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
#include "trn/Transforms/Outline/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A region and the kernels that compute it.
struct OutlinedRegion {
  KernelRegion region;
  SmallVector<KernelPart> parts;
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
  /// they would round differently or have no plan. What is not in the kernel of
  /// its operands grows again.
  void outline(const KernelRegion &region);
  /// Replaces the regions that have kernels by calls.
  void replaceRegions();

private:
  /// The same, but `removed` receives what is not in the kernel of its
  /// operands.
  void outline(const KernelRegion &region, SmallVectorImpl<RegionOp> &removed);
  /// Creates the kernels of `region`: one, or one for each product of a chain
  /// if that is asked for or it has no plan. Or says why there are none.
  std::optional<Obstacle> createKernels(const KernelRegion &region,
                                        bool isChain);
  /// A kernel that computes the same.
  func::FuncOp findEqual(func::FuncOp kernel) const;
  /// Why there is no plan for one of `parts`, if so.
  std::optional<Obstacle> findObstacle(const KernelRegion &region,
                                       ArrayRef<KernelPart> parts) const;
  /// Makes `parts`, which compute `region`, kernels of the module.
  void adopt(const KernelRegion &region, SmallVector<KernelPart> parts);
  void replace(const OutlinedRegion &outlined);
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
  /// Used until regions are replaced.
  LoadedValues loaded;
  /// In source order.
  std::vector<OutlinedRegion> outlined;
};
} // namespace

/// Why there is no plan for `kernel` on the machine, or nothing.
static std::string findObstacle(func::FuncOp kernel, const Machine &machine) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return llvm::toString(limited.takeError());
  llvm::Expected<KernelGraph> source = readKernel(kernel);
  if (!source)
    return llvm::toString(source.takeError());
  return search::findObstacle(source->graph, {}, *limited).value_or("");
}

func::FuncOp Outliner::findEqual(func::FuncOp kernel) const {
  auto found = llvm::find_if(kernels, [&](func::FuncOp other) {
    return areEqual(kernel, other) && haveEqualPlans(kernel, other);
  });
  return found == kernels.end() ? func::FuncOp() : *found;
}

std::optional<Obstacle>
Outliner::findObstacle(const KernelRegion &region,
                       ArrayRef<KernelPart> parts) const {
  for (const KernelPart &part : parts)
    if (!findEqual(part.kernel))
      if (std::string reason = ::findObstacle(part.kernel, machine);
          !reason.empty())
        return Obstacle{region.mainOp(), reason, std::nullopt};
  return std::nullopt;
}

std::optional<Obstacle> Outliner::createKernels(const KernelRegion &region,
                                                bool isChain) {
  func::FuncOp whole = createKernel(builder, func.getName(), region.ops,
                                    region.inputs(), region.results());
  SmallVector<KernelPart> parts = {
      {whole, whole.getLoc(),
       llvm::to_vector(llvm::seq(0u, whole.getNumArguments()))}};
  auto cut = [&] {
    // Implicitly transposed, a kernel hands over Y^T.
    parts =
        cutEverywhere(whole, options.transpose != TransposeRequest::Explicit);
    if (parts.size() > 1)
      whole.erase();
  };
  auto obstacle = findRoundingObstacle(whole, region, options.allowRounding);
  if (!obstacle) {
    if (region.isApart())
      planVendorLoops(whole, region.mainOp(), machine);
    if (options.strategy == StrategyRequest::Sequential)
      cut();
    obstacle = findObstacle(region, parts);
    if (obstacle && isChain && isAutomatic(options.strategy)) {
      cut();
      obstacle = findObstacle(region, parts);
    }
  }
  if (!obstacle) {
    adopt(region, std::move(parts));
    return std::nullopt;
  }
  for (KernelPart &part : parts)
    part.kernel.erase();
  return obstacle;
}

void Outliner::adopt(const KernelRegion &region,
                     SmallVector<KernelPart> parts) {
  SmallVector<RegionInput> inputs = region.inputs();
  for (KernelPart &part : parts) {
    int64_t products = llvm::count_if(
        part.kernel.getOps(), [](Operation &op) { return isBodyProduct(&op); });
    if (func::FuncOp equal = findEqual(part.kernel)) {
      part.kernel.erase();
      part.kernel = equal;
    } else {
      std::string name = (func.getName() + "_kernel").str();
      if (count++)
        name += "_" + std::to_string(count);
      part.kernel.setName(name);
      symbols.insert(part.kernel);
      kernels.push_back(part.kernel);
    }
    for (unsigned argument : part.arguments)
      if (argument < inputs.size())
        remarkWidenedWeight(inputs[argument], part.kernel.getName(), loaded);
    remark::passed(part.loc, remark::RemarkOpts::name("Outlined")
                                 .category("trn-outline-kernels")
                                 .function(func.getName()))
        << remark::metric("kernel", part.kernel.getName())
        << remark::metric("products", products);
  }
  outlined.push_back({region, std::move(parts)});
}

void Outliner::outline(const KernelRegion &region) {
  SmallVector<RegionOp> removed;
  outline(region, removed);
  llvm::sort(removed, [](const RegionOp &a, const RegionOp &b) {
    return a.op->isBeforeInBlock(b.op);
  });
  for (const KernelRegion &part : growRegions(removed))
    outline(part);
}

void Outliner::outline(const KernelRegion &region,
                       SmallVectorImpl<RegionOp> &removed) {
  auto [before, last] = region.splitLast();
  bool isChain = before.ops.empty();
  std::optional<Obstacle> obstacle = createKernels(region, isChain);
  if (!obstacle)
    return;
  if (!isChain) {
    emitRemark(last.ops.back().op->getLoc(),
               "not in the kernel of its operands: ")
        << obstacle->reason;
    for (const KernelRegion &part : growRegions(before.ops))
      outline(part, removed);
    llvm::append_range(removed, last.ops);
    return;
  }
  auto isTurned = [](const RegionOp &member) {
    return member.product && member.product->rhs.isTransposed &&
           !member.product->isTurnedByHost;
  };
  if (!region.isTurnedByHost && llvm::any_of(region.ops, isTurned)) {
    // No plan turns the weights on the core.
    last.isTurnedByHost = true;
    return outline(last, removed);
  }
  if (!last.ops.back().product) {
    emitRemark(obstacle->op->getLoc(), "left on the host: ")
        << obstacle->reason;
    return;
  }
  InFlightDiagnostic remark = remarkLeftAlone(obstacle->op, obstacle->reason);
  if (obstacle->rounding)
    remark.attachNote(*obstacle->rounding) << "rounded here";
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

void Outliner::replace(const OutlinedRegion &outlined) {
  const KernelRegion &region = outlined.region;
  Location loc = region.mainOp()->getLoc();
  builder.setInsertionPoint(region.findFirstReader());
  SmallVector<Value> operands;
  for (const RegionInput &input : region.inputs())
    operands.push_back(toBuffer(takenFor(input)));
  SmallVector<Value> results = region.results();
  for (Value result : results) {
    auto type = cast<RankedTensorType>(result.getType());
    operands.push_back(memref::AllocOp::create(
        builder, result.getLoc(),
        MemRefType::get(type.getShape(), type.getElementType()),
        builder.getI64IntegerAttr(64)));
  }
  emitCalls(builder, loc, outlined.parts, operands);
  // Not writable: a kernel that reads the tensor reads the buffer itself once
  // `to_buffer` is folded, where bufferization does not see it.
  for (auto [replaced, buffer] :
       llvm::zip(results, ArrayRef(operands).take_back(results.size()))) {
    Value tensor = bufferization::ToTensorOp::create(
        builder, loc, replaced.getType(), buffer, /*restrict=*/true);
    replaced.replaceAllUsesWith(tensor);
  }
}

void Outliner::replaceRegions() {
  DenseMap<Value, SmallVector<size_t>> readers;
  for (auto [number, each] : llvm::enumerate(outlined))
    for (const RegionInput &input : each.region.inputs())
      readers[input.value].push_back(number);
  DenseSet<size_t> replaced;
  // What reads its results comes first, and then is where these are read.
  std::function<void(size_t)> visit = [&](size_t number) {
    if (!replaced.insert(number).second)
      return;
    for (Value result : outlined[number].region.results())
      for (size_t reader : readers.lookup(result))
        visit(reader);
    replace(outlined[number]);
  };
  for (size_t number = 0; number < outlined.size(); ++number)
    visit(number);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Lets ops of `func` that only overwrite what others compute overwrite new
/// tensors: nobody reads it, so that it would be no result of a kernel.
static void dropDestinations(func::FuncOp func) {
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

namespace {
struct OutlineKernelsPass final
    : trn::impl::OutlineKernelsBase<OutlineKernelsPass> {
  using Base::Base;

  void runOnOperation() override {
    if (!strategyFor.empty() && strategy != StrategyRequest::NkiXw) {
      // No place in the module is at fault.
      emitError(UnknownLoc::get(&getContext()))
          << "strategy-for names weights for strategy=nki-xw, which is not "
             "asked for";
      return signalPassFailure();
    }
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

  LogicalResult outline(func::FuncOp func, SymbolTable &symbols,
                        std::vector<func::FuncOp> &kernels) {
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return failure();
    OutlineKernelsOptions options{strategy, strategyFor, transpose,
                                  outputLayout, allowRounding};
    dropDestinations(func);
    placeReshapes(func);
    shareStoredHeads(func);
    Products products = findProducts(func, allowRounding);
    turnStoredWeights(products);
    if (strategy == StrategyRequest::NkiXw)
      setApart(products, strategyFor);
    // Another strategy is asked for the chains of the source.
    bool isAuto = isAutomatic(strategy);
    if (isAuto)
      associateChains(products, *machine, allowRounding);
    if (outputLayout == OutputLayout::Transposed)
      transposeOutputs(func, products);
    Outliner outliner(func, symbols, kernels, *machine, options);
    for (const KernelRegion &region :
         growRegions(func, products, /*onlyChains=*/!isAuto))
      outliner.outline(region);
    outliner.replaceRegions();
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    placeHostWork(func);
    remarkHostOps(func);
    return success();
  }
};
} // namespace
