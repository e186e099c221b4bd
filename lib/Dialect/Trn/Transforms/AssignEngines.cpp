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

namespace {
/// Nanoseconds that the two engines that can read PSUM spend in one execution
/// of a block.
struct Load {
  double vector = 0;
  double scalar = 0;
};
} // namespace

static bool isEviction(Operation *op) {
  auto copy = dyn_cast<TensorCopyOp>(op);
  return copy && !copy.getAssignedEngine() &&
         getMemorySpace(copy.getSrc().getType()) == MemorySpace::Psum;
}

static double vectorNs(TensorCopyOp copy, const Machine &machine) {
  return (copy.getWork(machine).cycles + machine.vectorAccessCycles) /
         machine.vectorGHz;
}

/// The time of the same copy as an activation: one element a cycle.
static double scalarNs(TensorCopyOp copy, const Machine &machine) {
  int64_t columns = copy.getSrc().getType().getDimSize(1);
  return (std::max(machine.minCycles, columns) + machine.scalarAccessCycles) /
         machine.scalarGHz;
}

/// What the ops of a block that have no choice ask of the engines, loops inside
/// counted as often as they run.
static Load fixedLoad(Block &block, const Machine &machine) {
  Load load;
  for (Operation &op : block) {
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      Load inner = fixedLoad(*loop.getBody(), machine);
      std::optional<APInt> trips = loop.getStaticTripCount();
      double count = trips ? trips->getSExtValue() : 1;
      load.vector += count * inner.vector;
      load.scalar += count * inner.scalar;
      continue;
    }
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    if (!instruction || isEviction(&op))
      continue;
    int64_t cycles = instruction.getWork(machine).cycles;
    if (instruction.getEngine() == Engine::Vector)
      load.vector += (cycles + machine.vectorAccessCycles) / machine.vectorGHz;
    else if (instruction.getEngine() == Engine::Scalar)
      load.scalar += (cycles + machine.scalarAccessCycles) / machine.scalarGHz;
  }
  return load;
}

/// Chooses ScalarE for each copy of a block or not. Ties go to ScalarE.
static SmallVector<bool> chooseScalar(ArrayRef<TensorCopyOp> copies, Load load,
                                      const Machine &machine) {
  Load all;
  for (TensorCopyOp copy : copies) {
    all.vector += vectorNs(copy, machine);
    all.scalar += scalarNs(copy, machine);
  }
  // The two engines wait for each other in PSUM: spreading gains nothing.
  if (machine.portLocks) {
    bool scalar = std::max(load.scalar + all.scalar, load.vector) <=
                  std::max(load.vector + all.vector, load.scalar);
    return SmallVector<bool>(copies.size(), scalar);
  }
  SmallVector<bool> choices;
  for (TensorCopyOp copy : copies) {
    double vector = load.vector + vectorNs(copy, machine);
    double scalar = load.scalar + scalarNs(copy, machine);
    choices.push_back(scalar <= vector);
    (choices.back() ? load.scalar : load.vector) =
        choices.back() ? scalar : vector;
  }
  return choices;
}

static void assignEvictions(Block &block, const Machine &machine) {
  SmallVector<TensorCopyOp> copies;
  for (Operation &op : block)
    if (isEviction(&op))
      copies.push_back(cast<TensorCopyOp>(op));
  if (copies.empty())
    return;
  SmallVector<bool> choices =
      chooseScalar(copies, fixedLoad(block, machine), machine);
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
