//===- AssignEngines.cpp - Choose engines ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only copies out of PSUM are worth a choice: every tile of the tensor engine
// needs one, and both VectorE and ScalarE can make it.
//
//   BEFORE                                    AFTER
//   trn.tensor_copy %psum into %a             trn.activation copy(%psum) into
//   %a trn.tensor_copy %psum2 into %b            trn.tensor_copy ... on vector
//
// ScalarE is the default of published kernels, and the faster of the two
// (1.4 against 1.12 GHz on trn1), so a loop with one copy gets ScalarE unless
// that is busy in the same loop with what only ScalarE can do.
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Machine/Evictions.h"
#include "trn/Machine/Work.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace mlir::trn;

namespace mlir::trn {
#define GEN_PASS_DEF_ASSIGNENGINES
#include "trn/Dialect/Trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

static constexpr llvm::StringLiteral category = "trn-assign-engines";

static bool isEviction(Operation *op) {
  auto copy = dyn_cast<TensorCopyOp>(op);
  return copy && !copy.getAssignedEngine() &&
         getMemorySpace(copy.getSrc().getType()) == MemorySpace::Psum;
}

/// What a copy adds to the engine that does it: ScalarE moves one element a
/// cycle.
static EngineLoad loadOf(TensorCopyOp copy, const Machine &machine) {
  EngineLoad load;
  load.addVector(copy.getWork(machine).cycles, machine);
  MemRefType src = copy.getSrc().getType();
  int64_t columns = src.getNumElements() / src.getDimSize(0);
  load.addScalar(activationCycles(columns), Function::Copy, machine);
  return load;
}

/// What an op of ScalarE computes.
static Function functionOf(Operation &op) {
  auto activation = dyn_cast<ActivationOp>(op);
  return activation ? *parseFunction(stringifyEnum(activation.getFunction()))
                    : Function::Copy;
}

/// What the ops of a block that have no choice ask of the engines, loops inside
/// counted as often as they run.
static EngineLoad fixedLoad(Block &block, const Machine &machine) {
  EngineLoad load;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      std::optional<APInt> trips = loop.getStaticTripCount();
      load.add(fixedLoad(*loop.getBody(), machine),
               trips ? trips->getSExtValue() : 1);
      continue;
    }
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    if (!instruction || isEviction(&op))
      continue;
    int64_t cycles = instruction.getWork(machine).cycles;
    if (instruction.getEngine() == Engine::Vector)
      load.addVector(cycles, machine);
    else if (instruction.getEngine() == Engine::Scalar)
      load.addScalar(cycles, functionOf(op), machine);
  }
  return load;
}

static void assignEvictions(Block &block, const Machine &machine) {
  SmallVector<TensorCopyOp> copies;
  for (Operation &op : block)
    if (isEviction(&op))
      copies.push_back(cast<TensorCopyOp>(op));
  if (copies.empty())
    return;
  SmallVector<EngineLoad> loads = llvm::map_to_vector(
      copies, [&](TensorCopyOp copy) { return loadOf(copy, machine); });
  SmallVector<bool> choices =
      chooseScalar(loads, fixedLoad(block, machine), machine);
  remark::passed(copies.front().getLoc(),
                 remark::RemarkOpts::name("Evictions").category(category))
      << "copies out of psum"
      << remark::metric("scalar", llvm::count(choices, true))
      << remark::metric("vector", llvm::count(choices, false));
  for (auto [copy, scalar] : llvm::zip_equal(copies, choices)) {
    if (!scalar) {
      copy.setAssignedEngine(ComputeEngine::Vector);
      continue;
    }
    OpBuilder builder(copy);
    auto activation =
        ActivationOp::create(builder, copy.getLoc(), ActivationFunction::Copy,
                             copy.getSrc(), copy.getDst());
    activation->setDiscardableAttrs(copy->getDiscardableAttrDictionary());
    copy.erase();
  }
}

namespace {
struct AssignEnginesPass final
    : trn::impl::AssignEnginesBase<AssignEnginesPass> {
  using Base::Base;

  void runOnOperation() override {
    FailureOr<Machine> machine = getMachine(getOperation());
    if (failed(machine))
      return signalPassFailure();
    getOperation().walk([](InstructionOpInterface op) {
      if (!isEviction(op) && !op.getChosenEngine() &&
          !op.getPossibleEngines().empty())
        op.chooseEngine(op.getPossibleEngines().front());
    });
    getOperation().walk(
        [&](Block *block) { assignEvictions(*block, *machine); });
  }
};
} // namespace
