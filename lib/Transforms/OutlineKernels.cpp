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
// and a kernel, which KernelRequest.cpp writes.
//
//===----------------------------------------------------------------------===//

#include "KernelRequest.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Planning/PlanSpace.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Transforms/ChainMatcher.h"
#include "trn/Transforms/KernelGraph.h"
#include "trn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
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
/// A chain and the kernels that compute it, one for each request.
struct OutlinedChain {
  Chain chain;
  SmallVector<KernelRequest> requests;
  SmallVector<func::FuncOp> kernels;
};

/// Rewrites one function.
class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols, const Machine &machine,
           const OutlineKernelsOptions &options)
      : func(func), symbols(symbols), machine(machine), options(options),
        builder(func.getContext()) {}

  /// Creates the next kernels, which compute `chain` and may store the result
  /// as [n, m]; none, and a remark, if they would round differently or have no
  /// plan.
  void outline(const Chain &chain, bool transposeOutput);
  /// Replaces the chains that have kernels by calls.
  void replaceChains();

private:
  /// A kernel for each product, with the intermediates in HBM.
  SmallVector<KernelRequest> cut(const Chain &chain,
                                 bool resultTransposed) const;
  bool createKernels(const Chain &chain, SmallVector<KernelRequest> requests,
                     std::string &refusal);
  void replace(const OutlinedChain &outlined);
  Value toBuffer(Value tensor);
  /// The right operand as a [k, n] tensor; a weight stored the other way round
  /// is transposed by the host.
  Value rightOperand(const Product &product);
  Value call(func::FuncOp kernel, const KernelRequest &request,
             ValueRange inputs);

  func::FuncOp func;
  SymbolTable &symbols;
  const Machine &machine;
  const OutlineKernelsOptions &options;
  OpBuilder builder;
  /// How many kernels there are.
  int64_t count = 0;
  /// In source order.
  std::vector<OutlinedChain> chains;
};
} // namespace

SmallVector<KernelRequest> Outliner::cut(const Chain &chain,
                                         bool resultTransposed) const {
  // Implicitly transposed, a kernel hands over Y^T.
  bool implicit = options.transpose != TransposeRequest::Explicit;
  SmallVector<KernelRequest> requests;
  for (Product product : chain.products) {
    bool isLast = requests.size() + 1 == chain.products.size();
    if (!isLast)
      product.resultType = product.operandType;
    if (!requests.empty())
      product.lhsTransposed = implicit;
    requests.push_back({{{product}}, isLast ? resultTransposed : implicit});
  }
  return requests;
}

/// Why no plan for `kernel` fits the machine, or nothing.
static std::string findObstacle(func::FuncOp kernel, const Machine &machine) {
  llvm::Expected<Machine> limited = limitTiles(machine);
  if (!limited)
    return llvm::toString(limited.takeError());
  FailureOr<KernelGraph> source = buildKernelGraph(kernel);
  if (failed(source))
    return "a kernel cannot compute it";
  planning::Constraints none;
  return planning::PlanSpace(source->graph, none, *limited).findObstacle();
}

bool Outliner::createKernels(const Chain &chain,
                             SmallVector<KernelRequest> requests,
                             std::string &refusal) {
  SmallVector<func::FuncOp> kernels;
  for (const KernelRequest &request : requests) {
    std::string name = (func.getName() + "_kernel").str();
    if (int64_t number = count + kernels.size())
      name += "_" + std::to_string(number + 1);
    kernels.push_back(createKernel(builder, symbols, name, request));
    refusal.clear();
    if (roundsAlike(kernels.back(), request, options.allowRounding)) {
      refusal = findObstacle(kernels.back(), machine);
      if (refusal.empty())
        continue;
    }
    for (func::FuncOp kernel : kernels)
      symbols.erase(kernel);
    return false;
  }
  count += kernels.size();
  for (auto [request, kernel] : llvm::zip_equal(requests, kernels))
    remark::passed(request.chain.last().contraction->getLoc(),
                   remark::RemarkOpts::name("Outlined")
                       .category("trn-outline-kernels")
                       .function(func.getName()))
        << remark::metric("kernel", kernel.getName())
        << remark::metric("products", request.chain.products.size());
  chains.push_back({chain, std::move(requests), std::move(kernels)});
  return true;
}

void Outliner::outline(const Chain &chain, bool transposeOutput) {
  bool resultTransposed = chain.last().resultTransposed != transposeOutput;
  std::string refusal;
  if (options.strategy != StrategyRequest::Sequential &&
      createKernels(chain, {{chain, resultTransposed}}, refusal))
    return;
  bool maySplit = options.strategy == StrategyRequest::Auto ||
                  options.strategy == StrategyRequest::Sequential;
  bool isUntried = options.strategy == StrategyRequest::Sequential;
  if (maySplit &&
      (isUntried || (chain.products.size() > 1 && !refusal.empty())) &&
      createKernels(chain, cut(chain, resultTransposed), refusal))
    return;
  if (!refusal.empty())
    remarkLeftAlone(chain.last(), refusal);
}

Value Outliner::toBuffer(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return bufferization::ToBufferOp::create(
      builder, tensor.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()), tensor,
      /*read_only=*/true);
}

Value Outliner::rightOperand(const Product &product) {
  if (!product.rhsTransposed)
    return product.rhs;
  auto type = cast<RankedTensorType>(product.rhs.getType());
  Location loc = product.rhs.getLoc();
  Value empty = tensor::EmptyOp::create(builder, loc,
                                        ArrayRef<int64_t>{product.k, product.n},
                                        type.getElementType());
  return linalg::TransposeOp::create(builder, loc, product.rhs, empty,
                                     ArrayRef<int64_t>{1, 0})
      .getResult()[0];
}

Value Outliner::call(func::FuncOp kernel, const KernelRequest &request,
                     ValueRange inputs) {
  Location loc = request.chain.last().contraction->getLoc();
  Value result = memref::AllocOp::create(
      builder, request.chain.last().result.getLoc(),
      cast<MemRefType>(kernel.getArgumentTypes().back()),
      builder.getI64IntegerAttr(64));
  SmallVector<Value> operands(inputs);
  operands.push_back(result);
  func::CallOp::create(builder, loc, kernel, operands);
  return result;
}

void Outliner::replace(const OutlinedChain &outlined) {
  const auto &[chain, requests, kernels] = outlined;
  const Product &last = chain.last();
  Location loc = last.contraction->getLoc();
  builder.setInsertionPointAfterValue(last.result);
  Value replaced = last.result;
  Value result;
  SmallVector<Value> intermediates;
  for (auto [request, kernel] : llvm::zip_equal(requests, kernels)) {
    SmallVector<Value> inputs{result ? result
                                     : toBuffer(request.chain.first().lhs)};
    for (const Product &product : request.chain.products)
      inputs.push_back(toBuffer(rightOperand(product)));
    if (result)
      intermediates.push_back(result);
    result = call(kernel, request, inputs);
  }
  for (Value intermediate : intermediates)
    memref::DeallocOp::create(builder, loc, intermediate);
  // Not writable: a kernel that reads the tensor reads the buffer itself once
  // `to_buffer` is folded, where bufferization does not see it.
  Value tensor = bufferization::ToTensorOp::create(
      builder, loc, memref::getTensorTypeFromMemRefType(result.getType()),
      result, /*restrict=*/true);
  replaced.replaceAllUsesWith(tensor);
  if (Operation *dead = replaced.getDefiningOp(); dead->use_empty())
    dead->erase();
}

void Outliner::replaceChains() {
  // The last one first: what replaces a chain reads the values of those before.
  for (const OutlinedChain &chain : llvm::reverse(chains))
    replace(chain);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Whether `func` may return the transpose of `product`, which it returns: all
/// who call it must know. Otherwise a remark says what is in the way.
static bool mayTransposeOutput(func::FuncOp func, const Product &product) {
  auto returns = llvm::to_vector(func.getOps<func::ReturnOp>());
  auto isReturn = llvm::IsaPred<func::ReturnOp>;
  if (llvm::none_of(product.result.getUsers(), isReturn))
    return false;
  auto keep = [&](StringRef reason) {
    func.emitRemark("function keeps its output layout: ") << reason;
    return false;
  };
  if (!product.result.hasOneUse())
    return keep("the product that it returns has other uses");
  if (returns.size() != 1)
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
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isExternal() && !isKernel(func) &&
          failed(outline(func, symbols)))
        return signalPassFailure();
  }

  LogicalResult outline(func::FuncOp func, SymbolTable &symbols) {
    FailureOr<Machine> machine = getMachine(func);
    if (failed(machine))
      return failure();
    OutlineKernelsOptions options{strategy, transpose, outputLayout,
                                  allowRounding};
    Outliner outliner(func, symbols, *machine, options);
    for (const Chain &chain : findChains(func, allowRounding)) {
      if (!countFlops(chain)) {
        remarkLeftAlone(chain.last(), "it needs more than 2^63 operations");
        continue;
      }
      bool transposeOutput = outputLayout == OutputLayout::Transposed &&
                             !chain.last().resultTransposed &&
                             mayTransposeOutput(func, chain.last());
      outliner.outline(chain, transposeOutput);
    }
    outliner.replaceChains();
    updateResultTypes(func);
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    return success();
  }
};
} // namespace
