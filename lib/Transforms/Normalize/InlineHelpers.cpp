//===- InlineHelpers.cpp - Bring helpers to what uses them ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JAX makes a function of everything that is compiled by itself, such as
// jax.nn.silu, and calls it:
//
//   %y = linalg.matmul ...                  %y = linalg.matmul ...
//   %a = call @silu(%y)             ->      %a = linalg.generic ... %y
//
// Layers, which have products, stay functions: they are compiled once.
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Transforms/Normalize/Passes.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Transforms/Inliner.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::trn {
#define GEN_PASS_DEF_INLINEHELPERS
#include "trn/Transforms/Normalize/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

static bool hasProduct(func::FuncOp func) {
  return func
      .walk([](linalg::LinalgOp op) {
        return isProductLike(op) ? WalkResult::interrupt()
                                 : WalkResult::advance();
      })
      .wasInterrupted();
}

static SmallVector<func::CallOp> findCalls(func::FuncOp func) {
  SmallVector<func::CallOp> calls;
  func.walk([&](func::CallOp call) { calls.push_back(call); });
  return calls;
}

namespace {
class HelperInliner {
public:
  explicit HelperInliner(ModuleOp module)
      : symbols(module), interface(module.getContext()) {}

  /// Inlines all calls of helpers in `func`, and those that come with them.
  void inlineInto(func::FuncOp func);

  void eraseUnused() {
    bool isChanged = true;
    while (std::exchange(isChanged, false))
      for (func::FuncOp helper : inlined.takeVector())
        if (SymbolTable::symbolKnownUseEmpty(helper, symbols.getOp())) {
          symbols.erase(helper);
          isChanged = true;
        } else {
          inlined.insert(helper);
        }
  }

private:
  func::FuncOp getCallee(func::CallOp call) const {
    return symbols.lookup<func::FuncOp>(call.getCallee());
  }
  /// Whether `func` is one block without products that calls only helpers.
  bool isHelper(func::FuncOp func);

  SymbolTable symbols;
  InlinerInterface interface;
  llvm::DenseMap<Operation *, bool> known;
  /// Helpers that were inlined.
  llvm::SetVector<func::FuncOp> inlined;
};
} // namespace

bool HelperInliner::isHelper(func::FuncOp func) {
  if (!func)
    return false;
  // What calls itself finds itself here, as no helper.
  auto [entry, isNew] = known.try_emplace(func, false);
  if (!isNew)
    return entry->second;
  bool result = func.isPrivate() && !isKernel(func) &&
                func.getBody().hasOneBlock() && !hasProduct(func) &&
                llvm::all_of(findCalls(func), [&](func::CallOp call) {
                  return isHelper(getCallee(call));
                });
  return known[func] = result;
}

void HelperInliner::inlineInto(func::FuncOp func) {
  InlinerConfig config;
  bool isChanged = true;
  while (std::exchange(isChanged, false))
    for (func::CallOp call : findCalls(func)) {
      func::FuncOp helper = getCallee(call);
      if (!isHelper(helper) ||
          failed(inlineCall(interface, config.getCloneCallback(), call, helper,
                            &helper.getBody())))
        continue;
      call.erase();
      inlined.insert(helper);
      isChanged = true;
    }
}

namespace {
struct InlineHelpersPass final
    : trn::impl::InlineHelpersBase<InlineHelpersPass> {
  using Base::Base;

  void runOnOperation() override {
    HelperInliner inliner(getOperation());
    bool hasPublic = false;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      hasPublic |= func.isPublic();
      if (hasProduct(func) || func.isPublic())
        inliner.inlineInto(func);
    }
    // Any function may be run where none is public.
    if (hasPublic)
      inliner.eraseUnused();
  }
};
} // namespace
