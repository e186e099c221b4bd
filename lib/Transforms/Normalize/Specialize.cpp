//===- Specialize.cpp - Sizes for dynamic dimensions ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments get static types, and casts back to what they were:
//
//   func @main(%x: tensor<?x40xf32>)     func @main(%s: tensor<24x40xf32>)
//     %o = ... %x                   ->     %x = tensor.cast %s
//                                          %o = ... %x
//
// Private functions that are called with such casts are inlined. The rest is
// what upstream's canonicalization makes of it.
//
//===----------------------------------------------------------------------===//

#include "RewriteOps.h"
#include "trn/Analysis/CalledFunctions.h"
#include "trn/Analysis/Dimensions.h"
#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Normalize/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/Inliner.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::trn {
#define GEN_PASS_DEF_SPECIALIZE
#include "trn/Transforms/Normalize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static bool isDynamic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// Dynamic dimensions of arguments that have one size.
struct FreeSize {
  SmallVector<Dimension> dims;
  std::optional<int64_t> size;
};
} // namespace

static unsigned numberOf(Dimension dim) {
  return cast<BlockArgument>(dim.first).getArgNumber();
}

/// The size of a tensor of `functions` that `dim` must have, if there is one.
static std::optional<int64_t> findKnownSize(ArrayRef<func::FuncOp> functions,
                                            const Dimensions &dimensions,
                                            Dimension dim) {
  std::optional<int64_t> known;
  auto look = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    for (int64_t i = 0; type && i != type.getRank(); ++i)
      if (!type.isDynamicDim(i) && dimensions.areTied({value, i}, dim))
        known = type.getDimSize(i);
  };
  for (func::FuncOp function : functions) {
    llvm::for_each(function.getArguments(), look);
    for (Operation &op : function.getBody().getOps())
      llvm::for_each(op.getResults(), look);
  }
  return known;
}

static SmallVector<FreeSize> findFreeSizes(func::FuncOp func) {
  SmallVector<func::FuncOp> functions = findCalledFunctions(func);
  Dimensions dimensions(functions);
  SmallVector<FreeSize> free;
  for (BlockArgument argument : func.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    for (int64_t i = 0; type && i != type.getRank(); ++i) {
      Dimension dim(argument, i);
      if (!type.isDynamicDim(i))
        continue;
      auto *same = llvm::find_if(free, [&](const FreeSize &other) {
        return dimensions.areTied(other.dims.front(), dim);
      });
      if (same != free.end())
        same->dims.push_back(dim);
      else
        free.push_back({{dim}, findKnownSize(functions, dimensions, dim)});
    }
  }
  return free;
}

/// Gives what has no size yet the next of `sizes`.
static LogicalResult assignSizes(func::FuncOp func, ArrayRef<int64_t> sizes,
                                 MutableArrayRef<FreeSize> free) {
  SmallVector<FreeSize *> open;
  for (FreeSize &each : free)
    if (!each.size)
      open.push_back(&each);
  if (open.size() != sizes.size()) {
    InFlightDiagnostic error = func.emitError("specialize is ");
    llvm::interleave(sizes, error, "x");
    error << ", but @" << func.getSymName()
          << " needs a size for each dynamic dimension that varies on its own";
    StringRef separator = ": ";
    for (FreeSize *each : open) {
      error << separator << "dimension " << each->dims.front().second
            << " of argument " << numberOf(each->dims.front());
      separator = ", ";
    }
    return error;
  }
  for (auto [each, size] : llvm::zip_equal(open, sizes))
    each->size = size;
  return success();
}

static FailureOr<SmallVector<int64_t>> parseSizes(ModuleOp module,
                                                  StringRef text) {
  SmallVector<int64_t> sizes;
  for (StringRef part : llvm::split(text, 'x')) {
    int32_t size;
    if (part.getAsInteger(10, size) || size < 1)
      return module.emitError("specialize takes sizes from 1 to 2147483647 "
                              "with x between them, as in 1x128, but '")
             << text << "' is given";
    sizes.push_back(size);
  }
  return sizes;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Gives arguments the types of `free`, and what reads them what they were.
static void retypeArguments(func::FuncOp func, ArrayRef<FreeSize> free) {
  OpBuilder builder = OpBuilder::atBlockBegin(&func.front());
  for (BlockArgument argument : func.getArguments()) {
    Type type = argument.getType();
    if (!isDynamic(type))
      continue;
    SmallVector<int64_t> shape(cast<RankedTensorType>(type).getShape());
    for (const FreeSize &each : free)
      for (Dimension dim : each.dims)
        if (dim.first == argument)
          shape[dim.second] = *each.size;
    argument.setType(cast<RankedTensorType>(type).clone(shape));
    auto cast =
        tensor::CastOp::create(builder, argument.getLoc(), type, argument);
    argument.replaceAllUsesExcept(cast, cast);
  }
}

/// Lets `func` return what is known of its results.
static void retypeResults(func::FuncOp func) {
  SmallVector<func::ReturnOp> returns(func.getOps<func::ReturnOp>());
  if (returns.size() == 1)
    for (OpOperand &operand : returns.front()->getOpOperands())
      if (auto cast = operand.get().getDefiningOp<tensor::CastOp>())
        if (tensor::preservesStaticInformation(cast.getType(),
                                               cast.getSource().getType())) {
          operand.set(cast.getSource());
          if (cast->use_empty())
            cast.erase();
        }
  func.setType(FunctionType::get(func.getContext(),
                                 func.front().getArgumentTypes(),
                                 returns.front().getOperandTypes()));
}

/// Upstream's canonicalization, where elementwise ops take part in it.
static void simplify(func::FuncOp func) {
  MLIRContext *context = func.getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  for (Dialect *dialect : context->getLoadedDialects())
    dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    op.getCanonicalizationPatterns(patterns, context);
  SmallVector<Operation *> ops;
  func.getBody().walk([&](Operation *op) { ops.push_back(op); });
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)rewriteOps(func, ops, std::move(patterns), config);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether `func` may call itself.
static bool isRecursive(func::FuncOp func) {
  SmallVector<func::FuncOp> called = findCalledFunctions(func);
  return llvm::any_of(called, [&](func::FuncOp function) {
    auto isCallBack = [&](func::CallOp call) {
      return call.getCallee() == func.getSymName() ? WalkResult::interrupt()
                                                   : WalkResult::advance();
    };
    return function.walk(isCallBack).wasInterrupted();
  });
}

/// Whether `call` hands static tensors to a private function that takes dynamic
/// ones.
static bool isSpecializable(func::CallOp call, func::FuncOp callee) {
  if (!callee || callee.isExternal() || !callee.isPrivate() ||
      isKernel(callee) || !callee.getBody().hasOneBlock() ||
      llvm::none_of(callee.getArgumentTypes(), isDynamic))
    return false;
  return llvm::all_of(call.getOperands(), [](Value operand) {
    auto cast = operand.getDefiningOp<tensor::CastOp>();
    return !isDynamic(operand.getType()) ||
           (cast && !isDynamic(cast.getSource().getType()));
  });
}

/// Inlines what `func` calls with static tensors, and says whether it did.
static bool inlineCalls(func::FuncOp func, InlinerInterface &interface) {
  SmallVector<func::CallOp> calls;
  func.walk([&](func::CallOp call) { calls.push_back(call); });
  bool isChanged = false;
  for (func::CallOp call : calls) {
    auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        call, call.getCalleeAttr());
    if (!isSpecializable(call, callee) || isRecursive(callee) ||
        failed(inlineCall(interface, InlinerConfig().getCloneCallback(), call,
                          callee, &callee.getBody())))
      continue;
    call.erase();
    isChanged = true;
    if (SymbolTable::symbolKnownUseEmpty(callee, func->getParentOp()))
      callee.erase();
  }
  return isChanged;
}

namespace {
struct SpecializePass final : trn::impl::SpecializeBase<SpecializePass> {
  using Base::Base;

  void runOnOperation() override {
    if (!sizes.empty() && failed(specializeArguments()))
      return signalPassFailure();
    InlinerInterface interface(&getContext());
    // What has dynamic arguments may be erased.
    SmallVector<func::FuncOp> callers;
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && !isKernel(func) &&
          llvm::none_of(func.getArgumentTypes(), isDynamic))
        callers.push_back(func);
    for (func::FuncOp func : callers)
      // A body that has been simplified may call more with static tensors.
      while (inlineCalls(func, interface))
        simplify(func);
  }

private:
  LogicalResult specializeArguments();
};
} // namespace

LogicalResult SpecializePass::specializeArguments() {
  ModuleOp module = getOperation();
  FailureOr<SmallVector<int64_t>> parsed = parseSizes(module, sizes);
  if (failed(parsed))
    return failure();
  bool isAny = false;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic() ||
        llvm::none_of(func.getArgumentTypes(), isDynamic))
      continue;
    isAny = true;
    if (!SymbolTable::symbolKnownUseEmpty(func, module))
      return func.emitError("@")
             << func.getSymName() << " cannot be specialized: this module "
             << "needs it as it is; let it call a private function instead";
    SmallVector<FreeSize> free = findFreeSizes(func);
    if (failed(assignSizes(func, *parsed, free)))
      return failure();
    retypeArguments(func, free);
    simplify(func);
    retypeResults(func);
  }
  if (!isAny)
    return module.emitError("specialize has sizes, but no public function has "
                            "arguments with dynamic dimensions");
  return success();
}
