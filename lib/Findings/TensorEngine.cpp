//===- TensorEngine.cpp - What the tensor engine loses time with ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Symptom.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Simulator/Cost.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using llvm::formatv;

static bool isProduct(const Instruction &instruction) {
  return instruction.semantics == Semantics::Matmul;
}

static bool isTensorTranspose(const Instruction &instruction) {
  return instruction.engine == Engine::Tensor &&
         instruction.semantics == Semantics::Transpose;
}

/// The instructions for which `isOne`, as far as they run.
static std::vector<size_t> instructionsOf(const KernelRun &run,
                                          bool (*isOne)(const Instruction &)) {
  std::vector<size_t> numbers;
  for (auto [index, instruction] : llvm::enumerate(run.program().instructions))
    if (isOne(instruction) && run.totals(index).executions > 0)
      numbers.push_back(index);
  return numbers;
}

//===----------------------------------------------------------------------===//
// Recomputation
//===----------------------------------------------------------------------===//

/// A product whose nest has a loop that its result lacks.
struct Repetition {
  std::string matrix;
  std::string dim;
  int64_t times;
  /// The innermost loop outside of which the result may be kept.
  std::string level;
};

static std::optional<Repetition> findRepetition(const KernelRun &run) {
  if (!run.call.plan)
    return std::nullopt;
  const auto &[graph, plan] = *run.call.plan;
  std::optional<Repetition> worst;
  for (auto [nest, stage] : llvm::zip(plan.nests, graph.stages)) {
    if (stage.terms.empty())
      continue;
    llvm::SmallVector<unsigned, 4> own = graph.dimsOf(stage);
    for (auto [level, loop] : llvm::enumerate(nest.loops)) {
      int64_t times = llvm::divideCeil(graph.sizeOf(loop.dim), loop.block);
      if (llvm::is_contained(own, loop.dim) || (worst && worst->times >= times))
        continue;
      worst = {graph.matrices[stage.result].name, graph.dims[loop.dim].name,
               times, planning::nameOfLevel(graph, nest, level)};
    }
  }
  return worst;
}

void mlir::trn::findRecomputation(const KernelRun &run, Symptoms &found) {
  std::vector<size_t> products = instructionsOf(run, isProduct);
  if (!run.recomputes() || products.empty())
    return;
  double share = double(*run.call.modelFlops) / run.result().executedFlops;
  Symptom symptom{
      "recomputation",
      formatv("executes {0:F1} times the FLOPs of the model", 1 / share),
      "keep what is computed again on chip",
      run.busiestOf(products),
      {}};
  if (std::optional<Repetition> again = findRepetition(run)) {
    symptom.subject = again->matrix;
    symptom.evidence +=
        formatv(": {0} is computed again for each of {1} blocks of {2}",
                again->matrix, again->times, again->dim);
    symptom.advice = formatv("keep {0} for all blocks of {1}: keep=\"{0}={2}\"",
                             again->matrix, again->dim, again->level);
  }
  // What is computed once is read once.
  std::vector<double> reads;
  for (auto [buffer, traffic] :
       llvm::zip(run.program().buffers, run.result().traffic))
    reads.push_back(buffer.argument >= 0 && traffic.readBytes > buffer.bytes
                        ? double(buffer.bytes) / traffic.readBytes
                        : 1);
  symptom.remove = [products, share, reads](Program &program, Machine &) {
    for (size_t product : products)
      program.instructions[product].work.cycles *= share;
    for (Instruction &instruction : program.instructions)
      for (const Access &read : instruction.reads)
        if (isDma(instruction.engine)) {
          instruction.work.bytes *= reads[read.buffer];
          instruction.work.descriptors *= reads[read.buffer];
        }
  };
  found.push_back(std::move(symptom));
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

void mlir::trn::findTransposes(const KernelRun &run, Symptoms &found) {
  std::vector<size_t> transposes = instructionsOf(run, isTensorTranspose);
  if (transposes.empty())
    return;
  size_t worst = run.busiestOf(transposes);
  int64_t busy = 0;
  std::vector<bool> isTransposed(run.program().buffers.size());
  for (size_t index : transposes) {
    busy += run.totals(index).busy;
    isTransposed[run.program().instructions[index].writes.front().buffer] =
        true;
  }
  int32_t source = run.program().instructions[worst].reads.front().buffer;
  const std::string &name = run.names[source];
  // It was loaded as it is in HBM.
  bool isArgument = llvm::any_of(
      run.program().instructions, [&](const Instruction &instruction) {
        return instruction.engine == Engine::Load &&
               instruction.semantics == Semantics::Copy &&
               instruction.writes.front().buffer == source &&
               run.program()
                       .buffers[instruction.reads.front().buffer]
                       .argument >= 0;
      });
  double tensor = run.result().busy[int(Engine::Tensor)];
  found.push_back(
      {"transposes",
       formatv("{0:F1} % of the tensor engine's time transposes {1}",
               tensor > 0 ? 100 * busy / tensor : 0, name),
       isArgument
           ? formatv("hand {0} over transposed", name)
           : formatv("compute {0} as it is read: transpose=implicit", name),
       worst,
       [transposes, isTransposed](Program &program, Machine &) {
         for (size_t index : transposes)
           program.instructions[index].work.cycles = 0;
         // They need not leave PSUM either.
         for (Instruction &instruction : program.instructions)
           for (const Access &read : instruction.reads)
             if (isTransposed[read.buffer])
               instruction.work.cycles = 0;
       },
       name});
}

//===----------------------------------------------------------------------===//
// Small tiles
//===----------------------------------------------------------------------===//

/// What the products would take if they filled the array.
static double usefulCycles(const Instruction &product, const Machine &machine) {
  bool isF32 = product.reads.front().type == ElementType::F32;
  double passes = isF32 ? machine.tensorF32Passes : 1;
  return passes * product.work.flops /
         (2.0 * machine.partitions * machine.stationaryFreeMax);
}

void mlir::trn::findPadding(const KernelRun &run, Symptoms &found) {
  std::vector<size_t> partial;
  double useful = 0, cycles = 0;
  for (size_t index : instructionsOf(run, isProduct)) {
    const Instruction &product = run.program().instructions[index];
    double own = usefulCycles(product, run.machine);
    useful += own * run.totals(index).executions;
    cycles += double(product.work.cycles) * run.totals(index).executions;
    if (own < product.work.cycles)
      partial.push_back(index);
  }
  if (partial.empty())
    return;
  size_t worst = run.busiestOf(partial);
  const Instruction &product = run.program().instructions[worst];
  const Access &stationary = product.reads[0], &moving = product.reads[1];
  auto columns = [](const Access &access) {
    return access.numElements() /
           std::max<int64_t>(access.dims.front().size, 1);
  };
  int64_t k = stationary.dims.front().size, m = columns(stationary),
          n = columns(moving);
  std::vector<std::string> fill;
  if (k < run.machine.partitions)
    fill.push_back(formatv("K {0}", run.machine.partitions));
  if (m < run.machine.stationaryFreeMax)
    fill.push_back(formatv("M {0}", run.machine.stationaryFreeMax));
  if (n < run.machine.tensorMinCycles)
    fill.push_back(formatv("N {0}", run.machine.tensorMinCycles));
  found.push_back(
      {"padding",
       formatv("products fill {0:F1} % of the tensor engine: K {1} x M {2} x "
               "N {3} at {4}",
               100 * useful / cycles, k, m, n,
               run.names[product.writes.front().buffer]),
       formatv("{0} would take as long", llvm::join(fill, " and ")), worst,
       [partial, &machine = run.machine](Program &program, Machine &) {
         for (size_t index : partial) {
           Instruction &product = program.instructions[index];
           product.work.cycles = usefulCycles(product, machine);
         }
       }});
}

void mlir::trn::findThrottle(const KernelRun &run, Symptoms &found) {
  if (run.result().throttled == 0)
    return;
  found.push_back(
      {"throttle",
       formatv("the tensor engine runs at half rate after low use: "
               "{0:F1} us of its time",
               run.result().throttled / 1e6),
       "let it wait less: what it waits for is in engine_waits",
       run.busiestOf(instructionsOf(
           run,
           [](const Instruction &i) { return i.engine == Engine::Tensor; })),
       [](Program &, Machine &machine) { machine.tensorThrottleNs = 0; }});
}
