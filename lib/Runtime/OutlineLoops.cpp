//===- OutlineLoops.cpp - Loops of host code as functions ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM takes more than linear time in large functions. The host code of a model
// is one, with the same few loops for every layer. Each kind of loop becomes a
// function here. What is left is mostly calls, which nothing makes faster.
//
//===----------------------------------------------------------------------===//

#include "HostCompiler.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::trn;

static constexpr StringLiteral outlinedPrefix = "loops.";

/// What `op` takes from around it, its operands first. What is in `inside` are
/// constants, which a function has for itself.
static SmallVector<Value> findInputs(Operation *op,
                                     SmallVectorImpl<Operation *> &inside) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  SmallVector<Value> inputs;
  for (Value value : values) {
    Operation *definition = value.getDefiningOp();
    if (definition && definition->hasTrait<OpTrait::ConstantLike>())
      inside.push_back(definition);
    else
      inputs.push_back(value);
  }
  return inputs;
}

/// The body of a function that does what `op` does to its arguments.
static OwningOpRef<func::FuncOp> makeFunction(Operation *op, ValueRange inputs,
                                              ArrayRef<Operation *> inside) {
  auto unknown = UnknownLoc::get(op->getContext());
  OpBuilder builder(op->getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      unknown, outlinedPrefix,
      FunctionType::get(op->getContext(), inputs.getTypes(), {}));
  function->setPrivate();
  builder.setInsertionPointToStart(function->addEntryBlock());
  IRMapping map;
  map.map(inputs, function->getArguments());
  for (Operation *constant : inside)
    builder.clone(*constant, map);
  builder.clone(*op, map);
  func::ReturnOp::create(builder, unknown);
  return function;
}

static void outline(ModuleOp module) {
  SmallVector<linalg::LinalgOp> ops;
  module.walk([&](linalg::LinalgOp op) {
    if (op->getNumResults() == 0)
      ops.push_back(op);
  });
  // Of a single one there is nothing to win.
  if (ops.size() < 2)
    return;
  llvm::StringMap<func::FuncOp> known;
  SymbolTable symbols(module);
  for (linalg::LinalgOp op : ops) {
    SmallVector<Operation *> inside;
    SmallVector<Value> inputs = findInputs(op, inside);
    OwningOpRef<func::FuncOp> function = makeFunction(op, inputs, inside);
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os, OpPrintingFlags().useLocalScope());
    func::FuncOp &same = known[text];
    if (!same) {
      function->setSymName((outlinedPrefix + Twine(known.size())).str());
      same = function.release();
      symbols.insert(same); // under another name if that is taken
    }
    OpBuilder builder(op);
    func::CallOp::create(builder, op.getLoc(), same, inputs);
    op->erase();
  }
}

/// Whether nothing in `function` is executed twice.
static bool isStraight(func::FuncOp function) {
  return function.getBody().hasOneBlock() &&
         !function
              .walk([&](Operation *op) {
                bool mayLoop = op->getNumRegions() > 0 && op != function &&
                               !isa<scf::IfOp>(op);
                return mayLoop || isa<vector::VectorDialect>(op->getDialect())
                           ? WalkResult::interrupt()
                           : WalkResult::advance();
              })
              .wasInterrupted();
}

OutlinedLoops mlir::trn::outlineLoops(ModuleOp module) {
  outline(module);
  OutlinedLoops outlined;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    if (function.getSymName().starts_with(outlinedPrefix))
      outlined.loops.push_back(function.getSymNameAttr());
    else if (isStraight(function))
      outlined.straight.push_back(function.getSymNameAttr());
  }
  return outlined;
}

void mlir::trn::keepOutlined(const OutlinedLoops &outlined, ModuleOp module) {
  SymbolTable symbols(module);
  for (StringAttr name : outlined.loops)
    symbols.lookup<LLVM::LLVMFuncOp>(name).setNoInline(true);
  for (StringAttr name : outlined.straight) {
    // C calls it through another one.
    std::string wrapper = ("_mlir_ciface_" + name.getValue()).str();
    for (StringRef each : {name.getValue(), StringRef(wrapper)})
      if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(each)) {
        function.setNoInline(true);
        function.setOptimizeNone(true);
      }
  }
}
