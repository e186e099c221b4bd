//===- PlanIsProgramTest.cpp - A plan costs what its program does ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one walk over a plan tells is what its placed program does: every byte
// that is moved, every buffer with its size, its slots and the others that are
// live with it, every column on the tensor engine. Other cases than usual run
// with --gtest_shuffle --gtest_repeat=100.
//
//===----------------------------------------------------------------------===//

#include "RandomGraphs.h"
#include "RandomPlans.h"
#include "trn/Analysis/BufferLife.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Placement/Solvers.h"
#include "trn/Planning/PlanCost.h"
#include "trn/Planning/PlanSpace.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Transforms/EmitKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

static bool fits(const placement::Problem &problem) {
  return problem.peak().size <= problem.capacity && placement::solve(problem);
}

namespace {
class PlanIsProgramTest : public ::testing::Test {
protected:
  PlanIsProgramTest() : context(MLIRContext::Threading::DISABLED) {
    context.loadDialect<TrnDialect, affine::AffineDialect, arith::ArithDialect,
                        func::FuncDialect, memref::MemRefDialect,
                        scf::SCFDialect>();
    context.getDiagEngine().registerHandler(
        [&](Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
  }

  /// Compares the plan, which fits, with its program; false if they differ.
  bool check(const Schedule &schedule, const Machine &machine);

  int seed(int number) {
    return ::testing::UnitTest::GetInstance()->random_seed() * 1000 + number;
  }

private:
  /// What differs; empty if nothing does.
  std::string compare(const PlanCost &cost, func::FuncOp kernel,
                      const Machine &machine);

  MLIRContext context;
  std::string said;
};
} // namespace

/// What differs between the buffers of two problems. PSUM's get more slots.
static std::string compare(const placement::Problem &plan,
                           const placement::Problem &program, bool slots) {
  if (plan.buffers.size() != program.buffers.size())
    return "another number of buffers";
  for (auto [i, a] : llvm::enumerate(plan.buffers)) {
    const placement::Buffer &b = program.buffers[i];
    if (a.size != b.size || a.alignment != b.alignment ||
        (slots && a.slots != b.slots))
      return "another size of buffer " + std::to_string(i);
    for (size_t j = 0; slots && j < i; ++j)
      if (a.isLiveWith(plan.buffers[j]) != b.isLiveWith(program.buffers[j]))
        return "buffers " + std::to_string(j) + " and " + std::to_string(i) +
               " meet in one of them only";
  }
  return !slots || plan.peak().size == program.peak().size ? ""
                                                           : "another peak";
}

std::string PlanIsProgramTest::compare(const PlanCost &cost,
                                       func::FuncOp kernel,
                                       const Machine &machine) {
  FailureOr<SmallVector<BufferLife>> lives = computeBufferLives(kernel);
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(lives) || failed(decoded))
    return "no program: " + said;
  for (MemorySpace space : {MemorySpace::Sbuf, MemorySpace::Psum}) {
    bool isSbuf = space == MemorySpace::Sbuf;
    placement::Problem problem =
        describePlacement(livesIn(*lives, space), space, machine);
    std::string difference =
        ::compare(isSbuf ? cost.sbuf : cost.psum, problem, /*slots=*/isSbuf);
    if (!difference.empty())
      return stringifyMemorySpace(space).str() + ": " + difference;
  }
  SimulationResult result = simulate(decoded->program, machine);
  std::string differences;
  auto same = [&](const char *what, int64_t plan, int64_t program) {
    if (plan != program)
      differences += std::string(what) + " " + std::to_string(plan) +
                     " in the plan, " + std::to_string(program) +
                     " in the program; ";
  };
  same("read", cost.readBytes, result.hbmReadBytes);
  same("written", cost.writtenBytes, result.hbmWriteBytes);
  same("saved", cost.savedBytes, result.spillSaveBytes);
  same("reloaded", cost.reloadedBytes, result.spillReloadBytes);
  same("ps of the tensor engine", std::llround(cost.tensorNs * 1000),
       result.busy[size_t(Engine::Tensor)] - result.throttled);
  return differences;
}

bool PlanIsProgramTest::check(const Schedule &schedule,
                              const Machine &machine) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  setMachine(*module, machine);
  OpBuilder builder(module->getBodyRegion());
  func::FuncOp kernel = createKernel(builder, schedule.graph);
  emitKernel(kernel, schedule, machine);
  PassManager passes(&context);
  buildPlacementPipeline(passes);
  said.clear();
  std::string problem =
      failed(passes.run(*module))
          ? "cannot be placed: " + said
          : compare(computeCost(schedule, machine), kernel, machine);
  if (problem.empty())
    return true;
  std::string text;
  llvm::raw_string_ostream os(text);
  printGraph(os, schedule.graph);
  ADD_FAILURE() << problem << "\n"
                << text << "\n"
                << printPlan(schedule.graph, schedule.plan);
  return false;
}

//===----------------------------------------------------------------------===//
// Candidates for chains
//===----------------------------------------------------------------------===//

namespace {
/// Chains of products, machines, and demands on their plans.
class ChainMaker {
public:
  explicit ChainMaker(unsigned seed) : random(seed) {}

  Machine machine() {
    Machine machine = below(3) ? defaultMachine() : *findKnownMachine("trn2");
    // Columns take a whole number of picoseconds.
    machine.tensorNsPerColumn = 0.5;
    if (below(3) == 0)
      machine.sbufPartitionBytes = 4 * (600 + below(6000));
    if (below(6) == 0)
      machine.partitions = machine.stationaryFreeMax = 32 << below(2);
    if (below(6) == 0)
      machine.movingFreeMax = 128 << below(2);
    if (below(6) == 0)
      machine.psumBanks = 1 << below(5);
    return *limitTiles(machine);
  }
  Graph chain();
  Constraints demands(const Graph &graph, const Machine &machine);
  unsigned below(unsigned count) { return random() % count; }
  template <typename T>
  const T &any(const std::vector<T> &list) {
    return list[below(list.size())];
  }

private:
  int64_t size() {
    switch (below(4)) {
    case 0:
      return 1 + below(20);
    case 1:
      return 128 * (1 + below(8));
    default:
      return 1 + below(1200);
    }
  }
  unsigned addMatrix(std::string name, unsigned rows, unsigned columns,
                     Role role) {
    if (below(2))
      std::swap(rows, columns);
    graph.matrices.push_back({std::move(name), rows, columns, type, role});
    return graph.matrices.size() - 1;
  }

  std::mt19937 random;
  Graph graph;
  ElementType type = ElementType::BF16;
};
} // namespace

Graph ChainMaker::chain() {
  unsigned count = below(3) ? 1 + below(2) : 3 + below(3);
  type =
      any(std::vector{ElementType::BF16, ElementType::F16, ElementType::F32});
  graph.dims = {{"m", size()}, {"k", size()}};
  for (unsigned i = 1; i < count; ++i)
    graph.dims.push_back({"r" + std::to_string(i), size()});
  graph.dims.push_back({"n", size()});
  unsigned left = addMatrix("x", 0, 1, Role::Input);
  for (unsigned i = 1; i <= count; ++i) {
    std::string number = std::to_string(i);
    unsigned right = addMatrix("w" + number, i, i + 1, Role::Input);
    bool last = i == count;
    if (last && below(3) == 0)
      type = ElementType::F32;
    unsigned result = addMatrix(last ? "o" : "y" + number, 0, i + 1,
                                last ? Role::Result : Role::Intermediate);
    graph.stages.push_back({result, {{left, right, i}}});
    left = result;
  }
  return graph;
}

Constraints ChainMaker::demands(const Graph &graph, const Machine &machine) {
  Constraints demands;
  for (const Dim &dim : graph.dims)
    if (below(8) == 0)
      demands.blocks.emplace_back(dim.name,
                                  machine.partitions * (1 + below(8)));
  if (below(6) == 0)
    demands.transpose =
        below(2) ? TransposeMode::Implicit : TransposeMode::Explicit;
  demands.recompute = graph.stages.size() > 1 && below(8) == 0;
  demands.keepIntermediates = !demands.recompute && below(8) == 0;
  return demands;
}

TEST_F(PlanIsProgramTest, candidates) {
  int checked = 0;
  for (int number = 0; number < 50; ++number) {
    ChainMaker maker(seed(number));
    Machine machine = maker.machine();
    Graph graph = maker.chain();
    Constraints demands = maker.demands(graph, machine);
    PlanSpace space(graph, demands, machine);
    std::vector<Candidate> starts = space.starts();
    for (int tries = 0; tries < 8; ++tries) {
      Candidate candidate = maker.any(starts);
      for (int step = 0; step < 6; ++step) {
        if (std::optional<Schedule> schedule = space.build(candidate)) {
          ++checked;
          if (!check(*schedule, machine)) {
            ADD_FAILURE() << "seed " << seed(number);
            break;
          }
        }
        std::vector<Candidate> next =
            space.along(maker.below(space.numAxes()), candidate);
        if (!next.empty())
          candidate = maker.any(next);
      }
    }
  }
  EXPECT_GT(checked, 200);
}

//===----------------------------------------------------------------------===//
// Any plans
//===----------------------------------------------------------------------===//

TEST_F(PlanIsProgramTest, random_plans) {
  Machine machine = defaultMachine();
  machine.tensorNsPerColumn = 0.5;
  machine.partitions = machine.stationaryFreeMax = 32;
  machine.movingFreeMax = 64;
  int checked = 0;
  for (int number = 0; number < 16; ++number) {
    machine.dmaTranspose = number % 4 == 0;
    Graph graph = GraphMaker(seed(number), /*unit=*/16).make(machine);
    if (graph.stages.empty())
      continue;
    Mutator mutator(graph, machine, seed(number));
    Plan start = mutator.simplest(), plan = start;
    for (int step = 0; step < 400; ++step) {
      if (step % 100 == 0)
        plan = start;
      Plan changed = plan;
      for (unsigned i = 0; i <= mutator.below(3); ++i)
        mutator.change(changed);
      if (llvm::Error error = changed.check(graph, machine)) {
        llvm::consumeError(std::move(error));
        continue;
      }
      plan = changed;
      Schedule schedule{graph, plan};
      PlanCost cost = computeCost(schedule, machine);
      if (step % 4 || !fits(cost.sbuf) || !fits(cost.psum))
        continue;
      ++checked;
      if (!check(schedule, machine)) {
        ADD_FAILURE() << "seed " << seed(number) << ", step " << step;
        return;
      }
    }
  }
  EXPECT_GT(checked, 200);
}
