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
//   %o = bufferization.to_tensor %ob restrict writable
//
// and a kernel: its inputs are read as tensors, its result is materialised in
// the trailing argument.
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/BlockPlan.h"
#include "trn/Transforms/ChainMatcher.h"
#include "trn/Transforms/ChooseStrategy.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"
#include "trn/Transforms/Stages.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::trn {
#define GEN_PASS_DEF_OUTLINEKERNELS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
/// What becomes one kernel: the chain, the tensors or buffers it reads, and
/// whether its result is stored as [n, m].
struct KernelRequest {
  Chain chain;
  Strategy strategy;
  TransposeMode transpose;
  bool resultTransposed;
  /// Half of a sequential chain: 1 or 2; 0 otherwise.
  int64_t half;
};
} // namespace

//===----------------------------------------------------------------------===//
// Finding chains
//===----------------------------------------------------------------------===//

static void remarkLeftAlone(const Product &product, StringRef reason) {
  product.contraction->emitRemark("product left on the host: ") << reason;
}

/// Returns the products of `func` that kernels can compute, keyed by the value
/// that they produce; the others get a remark. A product whose result is then
/// rounded by nobody stays with its consumer.
static llvm::MapVector<Value, Product> findProducts(func::FuncOp func,
                                                    bool allowRounding) {
  llvm::MapVector<Value, Product> products;
  func.walk([&](linalg::LinalgOp op) {
    if (!isProductLike(op))
      return;
    ProductMatch match = matchProduct(op, allowRounding);
    if (match.product) {
      products.insert({match.product->result, *match.product});
      return;
    }
    op->emitRemark("product left on the host: ") << match.refusal;
    auto *first = products.find(op.getDpsInputs()[0]);
    if (first == products.end())
      return;
    remarkLeftAlone(first->second, "the product that consumes it is");
    products.erase(first);
  });
  return products;
}

/// Returns the product among `products` that `last` can be fused behind, after
/// flipping `last` if it is its rhs that is the intermediate.
static const Product *findFirst(llvm::MapVector<Value, Product> &products,
                                Product &last) {
  for (const Product &candidate : {last, flipped(last)}) {
    auto *first = products.find(candidate.lhs);
    if (first == products.end() || !feeds(first->second, candidate))
      continue;
    last = candidate;
    return &first->second;
  }
  return nullptr;
}

/// Pairs products into chains, in program order, and drops what only makes
/// sense inside a chain.
static SmallVector<Chain>
pairProducts(llvm::MapVector<Value, Product> products) {
  SmallVector<Chain> chains;
  while (!products.empty()) {
    Product last = products.back().second;
    products.pop_back();
    Chain chain{last, std::nullopt};
    if (const Product *first = findFirst(products, last)) {
      chain = Chain{*first, last};
      products.erase(first->result);
    } else if (cast<ShapedType>(last.lhs.getType()).getElementType() !=
               cast<ShapedType>(last.rhs.getType()).getElementType()) {
      remarkLeftAlone(last, "its operands have different types, and its lhs "
                            "is no intermediate that could be rounded");
      continue;
    } else if (last.rhsTransposed && last.lhsTransposed) {
      // Both operands lie the wrong way round, so the result does.
      chain.first = flipped(last);
    }
    absorbInputTranspose(chain.first);
    chains.push_back(chain);
  }
  return llvm::to_vector(llvm::reverse(chains));
}

//===----------------------------------------------------------------------===//
// Writing kernels
//===----------------------------------------------------------------------===//

/// Emits `product` as it was found, but with f32 accumulation and an explicit
/// eviction, on the kernel's own tensors.
static Value emitProduct(OpBuilder &builder, const Product &product, Value lhs,
                         bool lhsTransposed, Value rhs, bool resultTransposed,
                         Type type) {
  Location loc = product.contraction->getLoc();
  Value result = buildProduct(
      builder, {loc, product.result.getLoc()}, lhs,
      lhsTransposed ? LhsLayout::ContractionFirst : LhsLayout::Rows, rhs, type);
  if (!resultTransposed)
    return result;
  Value empty = tensor::EmptyOp::create(
      builder, loc, ArrayRef<int64_t>{product.n, product.m}, type);
  return linalg::TransposeOp::create(builder, loc, result, empty,
                                     ArrayRef<int64_t>{1, 0})
      .getResult()[0];
}

/// Creates the private function that computes `request` from `inputs`.
static func::FuncOp createKernel(OpBuilder &builder, SymbolTable &symbols,
                                 StringRef name, const KernelRequest &request,
                                 ValueRange inputs, MemRefType result) {
  const Chain &chain = request.chain;
  Location loc = chain.last().contraction->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.clearInsertionPoint();
  SmallVector<Type> arguments(inputs.getTypes());
  arguments.push_back(result);
  auto kernel = func::FuncOp::create(builder, loc, name,
                                     builder.getFunctionType(arguments, {}));
  kernel.setPrivate();
  auto *dialect = builder.getContext()->getLoadedDialect<TrnDialect>();
  dialect->getKernelAttrHelper().setAttr(kernel, builder.getUnitAttr());
  dialect->getFlopsAttrHelper().setAttr(
      kernel, builder.getI64IntegerAttr(*countFlops(chain)));
  kernel.setArgAttr(arguments.size() - 1,
                    dialect->getResultAttrHelper().getName(),
                    builder.getUnitAttr());
  Schedule schedule;
  schedule.strategy = request.strategy;
  schedule.transpose = request.transpose;
  schedule.inputTransposed = chain.first.lhsTransposed;
  schedule.outputTransposed = request.resultTransposed;
  schedule.half = request.half;
  writeSchedule(kernel, schedule);
  symbols.insert(kernel);

  builder.setInsertionPointToStart(kernel.addEntryBlock());
  for (auto [argument, input] : llvm::zip(kernel.getArguments(), inputs))
    argument.setLoc(input.getLoc());
  kernel.getArguments().back().setLoc(chain.last().result.getLoc());
  SmallVector<Value> tensors;
  for (BlockArgument argument : kernel.getArguments().drop_back())
    tensors.push_back(bufferization::ToTensorOp::create(
        builder, argument.getLoc(),
        memref::getTensorTypeFromMemRefType(argument.getType()), argument,
        /*restrict=*/true));
  Type type = result.getElementType();
  Type intermediate =
      chain.second ? getFloatType(builder.getContext(), chain.first.operandType)
                   : type;
  Value value = emitProduct(
      builder, chain.first, tensors[0], chain.first.lhsTransposed, tensors[1],
      !chain.second && request.resultTransposed, intermediate);
  if (chain.second)
    value = emitProduct(builder, *chain.second, value, /*lhsTransposed=*/false,
                        tensors[2], request.resultTransposed, type);
  bufferization::MaterializeInDestinationOp::create(
      builder, chain.last().result.getLoc(), Type(), value,
      kernel.getArguments().back(), /*restrict=*/true, /*writable=*/true);
  func::ReturnOp::create(builder, loc);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Replacing chains by calls
//===----------------------------------------------------------------------===//

namespace {
/// Rewrites one function.
class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols, TransposeMode transpose)
      : func(func), symbols(symbols), transpose(transpose),
        builder(func.getContext()) {}

  void outline(const Chain &chain, Strategy strategy);

private:
  Value toBuffer(Value tensor);
  /// The right operand as a [k, n] tensor; a weight stored the other way round
  /// is transposed by the host.
  Value rightOperand(const Product &product);
  Value call(const KernelRequest &request, ValueRange inputs,
             MemRefType resultType);

  func::FuncOp func;
  SymbolTable &symbols;
  TransposeMode transpose;
  OpBuilder builder;
  int64_t count = 0;
};
} // namespace

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

Value Outliner::call(const KernelRequest &request, ValueRange inputs,
                     MemRefType resultType) {
  Location loc = request.chain.last().contraction->getLoc();
  std::string name = (func.getName() + "_kernel").str();
  if (count++ > 0)
    name += "_" + std::to_string(count);
  func::FuncOp kernel =
      createKernel(builder, symbols, name, request, inputs, resultType);
  remark::passed(loc, remark::RemarkOpts::name("Outlined")
                          .category("trn-outline-kernels")
                          .function(func.getName()))
      << remark::metric("kernel", kernel.getName())
      << remark::metric("strategy", stringify(request.strategy));
  Value result =
      memref::AllocOp::create(builder, request.chain.last().result.getLoc(),
                              resultType, builder.getI64IntegerAttr(64));
  SmallVector<Value> operands(inputs);
  operands.push_back(result);
  func::CallOp::create(builder, loc, kernel, operands);
  return result;
}

void Outliner::outline(const Chain &chain, Strategy strategy) {
  const Product &first = chain.first, &last = chain.last();
  Location loc = last.contraction->getLoc();
  builder.setInsertionPointAfterValue(last.result);
  auto resultTensor = cast<RankedTensorType>(last.result.getType());
  auto resultType =
      MemRefType::get(resultTensor.getShape(), resultTensor.getElementType());
  Value x = toBuffer(first.lhs), u = toBuffer(rightOperand(first));
  Value result;
  if (chain.second && strategy == Strategy::Sequential) {
    // Implicitly transposed, the first kernel hands over Y^T.
    bool transposed = transpose == TransposeMode::Implicit;
    SmallVector<int64_t> shape{first.m, first.n};
    if (transposed)
      std::swap(shape[0], shape[1]);
    Chain head{first, std::nullopt}, tail{last, std::nullopt};
    tail.first.lhsTransposed = transposed;
    Value y = call({head, strategy, transpose, transposed, 1}, {x, u},
                   MemRefType::get(shape, getFloatType(builder.getContext(),
                                                       first.operandType)));
    Value v = toBuffer(rightOperand(last));
    result = call({tail, strategy, transpose, last.resultTransposed, 2}, {y, v},
                  resultType);
    memref::DeallocOp::create(builder, loc, y);
  } else {
    SmallVector<Value> inputs{x, u};
    if (chain.second)
      inputs.push_back(toBuffer(rightOperand(last)));
    result = call({chain, strategy, transpose, last.resultTransposed, 0},
                  inputs, resultType);
  }
  Value tensor = bufferization::ToTensorOp::create(builder, loc, resultTensor,
                                                   result, /*restrict=*/true,
                                                   /*writable=*/true);
  Value replaced = last.result;
  replaced.replaceAllUsesWith(tensor);
  if (Operation *dead = replaced.getDefiningOp(); dead->use_empty())
    dead->erase();
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Makes `func` return the transpose of what it returns, where that is the
/// result of `product` and nothing else uses it.
static void transposeOutput(func::FuncOp func, Product &product) {
  Operation *user =
      product.result.hasOneUse() ? *product.result.user_begin() : nullptr;
  auto ret = dyn_cast_if_present<func::ReturnOp>(user);
  if (!ret || !func.isPublic() || product.resultTransposed)
    return;
  product.resultTransposed = true;
  auto type = cast<RankedTensorType>(product.result.getType());
  product.result.setType(RankedTensorType::get(
      {type.getDimSize(1), type.getDimSize(0)}, type.getElementType()));
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
    Outliner outliner(func, symbols, transpose);
    SmallVector<Chain> chains = pairProducts(findProducts(func, allowRounding));
    // The last one first: outlining replaces the values that later chains read.
    for (Chain &chain : llvm::reverse(chains)) {
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
      if (outputLayout == OutputLayout::Transposed)
        transposeOutput(func, chain.second ? *chain.second : chain.first);
      outliner.outline(chain, *chosen);
    }
    IRRewriter rewriter(func.getContext());
    (void)runRegionDCE(rewriter, func->getRegions());
    return success();
  }
};
} // namespace
