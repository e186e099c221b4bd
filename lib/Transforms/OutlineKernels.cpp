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
#include "trn/Transforms/ChainMatcher.h"
#include "trn/Transforms/ChooseStrategy.h"
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
  Outliner(func::FuncOp func, SymbolTable &symbols, TransposeMode transpose,
           bool allowRounding)
      : func(func), symbols(symbols), transpose(transpose),
        allowRounding(allowRounding), builder(func.getContext()) {}

  /// Creates the next kernels, which compute `chain` and may store the result
  /// as [n, m]; none, and a remark, if they would round differently.
  void createKernels(const Chain &chain, Strategy strategy,
                     bool transposeOutput);
  /// Replaces the chains that have kernels by calls.
  void replaceChains();

private:
  /// The kernels that `chain` becomes.
  SmallVector<KernelRequest> split(const Chain &chain, Strategy strategy,
                                   bool resultTransposed) const;
  void replace(const OutlinedChain &outlined);
  Value toBuffer(Value tensor);
  /// The right operand as a [k, n] tensor; a weight stored the other way round
  /// is transposed by the host.
  Value rightOperand(const Product &product);
  Value call(func::FuncOp kernel, const KernelRequest &request,
             ValueRange inputs);

  func::FuncOp func;
  SymbolTable &symbols;
  TransposeMode transpose;
  bool allowRounding;
  OpBuilder builder;
  /// How many kernels there are.
  int64_t count = 0;
  /// In source order.
  std::vector<OutlinedChain> chains;
};
} // namespace

SmallVector<KernelRequest> Outliner::split(const Chain &chain,
                                           Strategy strategy,
                                           bool resultTransposed) const {
  if (!chain.second || strategy != Strategy::Sequential)
    return {{chain, strategy, transpose, resultTransposed, 0}};
  // Implicitly transposed, the first kernel hands over Y^T.
  bool transposed = transpose == TransposeMode::Implicit;
  Chain head{chain.first, std::nullopt}, tail{*chain.second, std::nullopt};
  head.first.resultType = chain.first.operandType;
  tail.first.lhsTransposed = transposed;
  return {{head, strategy, transpose, transposed, 1},
          {tail, strategy, transpose, resultTransposed, 2}};
}

void Outliner::createKernels(const Chain &chain, Strategy strategy,
                             bool transposeOutput) {
  SmallVector<KernelRequest> requests =
      split(chain, strategy, chain.last().resultTransposed != transposeOutput);
  SmallVector<func::FuncOp> kernels;
  for (const KernelRequest &request : requests) {
    std::string name = (func.getName() + "_kernel").str();
    if (int64_t number = count + kernels.size())
      name += "_" + std::to_string(number + 1);
    kernels.push_back(createKernel(builder, symbols, name, request));
    if (roundsAlike(kernels.back(), request, allowRounding))
      continue;
    for (func::FuncOp kernel : kernels)
      symbols.erase(kernel);
    return;
  }
  count += kernels.size();
  for (auto [request, kernel] : llvm::zip_equal(requests, kernels))
    remark::passed(request.chain.last().contraction->getLoc(),
                   remark::RemarkOpts::name("Outlined")
                       .category("trn-outline-kernels")
                       .function(func.getName()))
        << remark::metric("kernel", kernel.getName())
        << remark::metric("strategy", stringify(strategy));
  chains.push_back({chain, std::move(requests), std::move(kernels)});
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
  const Product &first = chain.first, &last = chain.last();
  Location loc = last.contraction->getLoc();
  builder.setInsertionPointAfterValue(last.result);
  Value replaced = last.result;
  SmallVector<Value> inputs{toBuffer(first.lhs), toBuffer(rightOperand(first))};
  Value result, intermediate;
  if (requests.size() == 1 && chain.second)
    inputs.push_back(toBuffer(rightOperand(last)));
  if (requests.size() == 2) {
    intermediate = call(kernels.front(), requests.front(), inputs);
    inputs = {intermediate, toBuffer(rightOperand(last))};
  }
  result = call(kernels.back(), requests.back(), inputs);
  if (intermediate)
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
    Outliner outliner(func, symbols, transpose, allowRounding);
    for (const Chain &chain : findChains(func, allowRounding)) {
      if (!countFlops(chain)) {
        remarkLeftAlone(chain.last(), "it needs more than 2^63 operations");
        continue;
      }
      llvm::Expected<Strategy> chosen =
          chooseStrategy(chain, strategy, transpose, *machine);
      if (!chosen) {
        remarkLeftAlone(chain.last(), llvm::toString(chosen.takeError()));
        continue;
      }
      bool transposeOutput = outputLayout == OutputLayout::Transposed &&
                             !chain.last().resultTransposed &&
                             mayTransposeOutput(func, chain.last());
      outliner.createKernels(chain, *chosen, transposeOutput);
    }
    outliner.replaceChains();
    updateResultTypes(func);
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    return success();
  }
};
} // namespace
