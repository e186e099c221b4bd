//===- ScheduleChecker.cpp - Compiles, times and runs schedules -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleChecker.h"

#include "ComparePrograms.h"
#include "trn/Analysis/BufferLife.h"
#include "trn/Decode/Decode.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/Transforms/Passes.h"
#include "trn/Interpreter/Interpreter.h"
#include "trn/Pipelines/Pipelines.h"
#include "trn/Placement/Solvers.h"
#include "trn/Planning/PrintSchedule.h"
#include "trn/Planning/WriteProgram.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Support/FloatTypes.h"
#include "trn/Transforms/Lower/DeclareKernel.h"
#include "trn/Transforms/Lower/EmitKernel.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

bool planning::fits(const placement::Problem &problem) {
  return problem.peak().size <= problem.capacity && placement::solve(problem);
}

ScheduleChecker::ScheduleChecker() : context(MLIRContext::Threading::DISABLED) {
  context
      .loadDialect<TrnDialect, affine::AffineDialect, arith::ArithDialect,
                   func::FuncDialect, memref::MemRefDialect, scf::SCFDialect>();
  context.getDiagEngine().registerHandler(
      [&](Diagnostic &diagnostic) { said += diagnostic.str() + "\n"; });
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// How many elements of an input are not 0: half of a left operand, and of a
/// right one two for every sum.
static double densityOf(const Graph &graph, unsigned matrix) {
  for (const Stage &stage : graph.stages) {
    for (const Term &term : stage.terms)
      if (term.right == matrix)
        return std::min(1.0, 2.0 / double(graph.sizeOf(term.over)));
    if (stage.isTransposition() && stage.source == matrix)
      return densityOf(graph, stage.result);
  }
  return 0.5;
}

static std::vector<float> transposed(const std::vector<float> &from,
                                     int64_t rows, int64_t columns) {
  std::vector<float> to(from.size());
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      to[j * rows + i] = from[i * columns + j];
  return to;
}

static float apply(Function function, float one, float other) {
  switch (function) {
  case Function::Copy:
    return one;
  case Function::Relu:
    return std::max(one, 0.0f);
  case Function::Square:
    return one * one;
  case Function::Add:
    return one + other;
  case Function::Sub:
    return one - other;
  case Function::Mul:
    return one * other;
  case Function::Max:
    return std::max(one, other);
  default:
    return std::numeric_limits<float>::quiet_NaN();
  }
}

/// Of an expression whose earlier values are `values`.
static float valueOf(const planning::Value &value,
                     const std::vector<float> &values,
                     llvm::function_ref<float(const planning::Value &)> leaf) {
  if (value.kind == planning::Value::Kind::Constant)
    return value.constant;
  if (value.kind != planning::Value::Kind::Apply)
    return leaf(value);
  return apply(value.function, values[value.arguments.front()],
               values[value.arguments.back()]);
}

Values::Values(const Graph &graph) : matrices(graph.matrices.size()) {
  std::mt19937 random;
  for (auto [number, matrix] : llvm::enumerate(graph.matrices)) {
    std::vector<float> &values = matrices[number];
    values.resize(numElements(graph, matrix));
    if (matrix.role != Role::Input)
      continue;
    std::bernoulli_distribution some(densityOf(graph, number));
    for (float &value : values)
      value = some(random) ? (random() % 2 ? 1 : -1) : 0;
  }
  for (const Batch &batch : allBatches(graph))
    computeBatch(graph, batch);
}

void Values::computeBatch(const Graph &graph, const Batch &batch) {
  std::vector<std::vector<float>> own(matrices.size());
  auto overRows = [&](unsigned number, auto body) {
    const Matrix &matrix = graph.matrices[number];
    BatchPlace place = placeOf(graph, matrix, batch);
    int64_t columns = graph.columnsOf(matrix);
    own[number].resize(graph.rowsOf(matrix) * columns);
    for (int64_t row = 0; row < graph.rowsOf(matrix); ++row)
      body(matrices[number].begin() + place.start + row * place.pitch,
           own[number].begin() + row * columns, columns);
  };
  for (unsigned number = 0; number < own.size(); ++number)
    overRows(number, [](auto all, auto one, int64_t columns) {
      std::copy_n(all, columns, one);
    });
  compute(graph, own);
  for (const Stage &stage : graph.stages)
    overRows(stage.result, [](auto all, auto one, int64_t columns) {
      std::copy_n(one, columns, all);
    });
}

static float fold(Function function, float one, float other) {
  return function == Function::Add   ? one + other
         : function == Function::Max ? std::max(one, other)
                                     : std::min(one, other);
}

/// The stages, for the matrices of one batch.
void Values::compute(const Graph &graph,
                     std::vector<std::vector<float>> &matrices) {
  auto offset = [&](unsigned own, unsigned dim) {
    return own == dim ? 0 : graph.dims[own].offset;
  };
  // The part of an operand that a term reads, what is summed over first.
  auto part = [&](unsigned number, unsigned over, unsigned other) {
    const Matrix &matrix = graph.matrices[number];
    bool first = graph.wholeOf(matrix.rows) == graph.wholeOf(over);
    std::vector<float> all =
        first ? matrices[number]
              : transposed(matrices[number], graph.rowsOf(matrix),
                           graph.columnsOf(matrix));
    unsigned rows = first ? matrix.rows : matrix.columns;
    unsigned columns = first ? matrix.columns : matrix.rows;
    std::vector<float> result;
    for (int64_t i = 0; i < graph.sizeOf(over); ++i) {
      auto at = all.begin() + (i + offset(over, rows)) * graph.sizeOf(columns) +
                offset(other, columns);
      result.insert(result.end(), at, at + graph.sizeOf(other));
    }
    return result;
  };
  for (const Stage &stage : graph.stages) {
    const Matrix &result = graph.matrices[stage.result];
    int64_t rows = graph.rowsOf(result), columns = graph.columnsOf(result);
    std::vector<float> &to = matrices[stage.result];
    std::vector<std::vector<float>> sums(stage.numSums(),
                                         std::vector<float>(rows * columns, 0));
    if (stage.isTransposition())
      sums = {transposed(matrices[*stage.source], columns, rows)};
    for (const Term &term : stage.terms) {
      const Matrix &operand = graph.matrices[term.left];
      auto isLeft = [&](unsigned dim) {
        return graph.wholeOf(dim) == graph.wholeOf(result.rows);
      };
      bool straight = isLeft(operand.rows) || isLeft(operand.columns);
      std::vector<float> left =
          part(straight ? term.left : term.right, term.over, result.rows);
      std::vector<float> right =
          part(straight ? term.right : term.left, term.over, result.columns);
      std::vector<float> &sum = sums[term.sum];
      for (int64_t k = 0; k < graph.sizeOf(term.over); ++k)
        for (int64_t i = 0; i < rows; ++i)
          if (float factor = left[k * rows + i])
            for (int64_t j = 0; j < columns; ++j)
              sum[i * columns + j] += factor * right[k * columns + j];
    }
    // An element of a matrix that may lack rows or columns.
    auto element = [&](unsigned number, int64_t i, int64_t j) {
      const Matrix &matrix = graph.matrices[number];
      auto index = [&](int64_t at, unsigned own, unsigned dim) {
        bool hasDim = own == dim || graph.dims[own].of == dim;
        return hasDim ? at + offset(own, dim) : 0;
      };
      int64_t column = graph.readsByGroup(stage, number)
                           ? j / graph.groupSize(matrix.columns)
                           : index(j, graph.columnsIn(stage), matrix.columns);
      return matrices[number][index(i, result.rows, matrix.rows) *
                                  graph.columnsOf(matrix) +
                              column];
    };
    auto evaluate = [&](int64_t i, int64_t j) {
      std::vector<float> values;
      for (const planning::Value &value : stage.expression.values) {
        values.push_back(
            valueOf(value, values, [&](const planning::Value &leaf) {
              return leaf.kind == planning::Value::Kind::Sum
                         ? sums[leaf.number][i * columns + j]
                         : element(leaf.number, i, j);
            }));
        areExact &= std::fabs(values.back()) <= 128;
      }
      return stage.expression.isPlain() ? sums.front()[i * columns + j]
                                        : values.back();
    };
    to.resize(rows * columns);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        // A reduction is of all columns, or of those of a group.
        int64_t count = !stage.reduction ? 1
                        : stage.reducesAll()
                            ? graph.sizeOf(stage.reduction->over)
                            : graph.groupSize(result.columns);
        float &value = to[i * columns + j] = evaluate(i, j * count);
        for (int64_t k = 1; k < count; ++k)
          value = fold(stage.reduction->function, value,
                       evaluate(i, j * count + k));
      }
    // All types hold these, sums of any part of them too.
    for (float value : to)
      areExact &= std::fabs(value) <= 128;
  }
}

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

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

std::string ScheduleChecker::compare(const PlanCost &cost, func::FuncOp kernel,
                                     const Machine &machine) {
  FailureOr<KernelLives> lives = computeLives(kernel, machine);
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(lives) || failed(decoded))
    return "no program: " + said;
  for (MemorySpace space : {MemorySpace::Sbuf, MemorySpace::Psum}) {
    bool isSbuf = space == MemorySpace::Sbuf;
    placement::Problem problem = placement::describe(
        placementOf(lives->in(space)), capacityOf(space, machine));
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
  double least =
      cost.busiestNs() + machine.kernelOverheadNs + machine.dmaLatencyNs;
  if (least * 1000 > double(result.latency) * 1.000001)
    differences += "at least " + std::to_string(least) + " ns in the plan, " +
                   std::to_string(result.latency) + " ps in the program; ";
  int64_t busy = result.busy[size_t(Engine::Vector)];
  if (cost.vectorNs * 1000 > double(busy) * 1.000001)
    differences += "ps of VectorE " + std::to_string(cost.vectorNs * 1000) +
                   " in the plan, " + std::to_string(busy) + " in the program";
  return differences;
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

static std::string compareWritten(const Schedule &schedule, func::FuncOp kernel,
                                  const Machine &machine) {
  std::optional<Program> written = writeProgram(schedule, machine);
  if (!written)
    return "no program is written";
  std::string difference =
      comparePrograms(*written, decodeKernel(kernel, machine)->program);
  return difference.empty() ? "" : "written without IR: " + difference;
}

/// `values` of a matrix in rows, as it lies in HBM.
static std::vector<float> asStored(const Graph &graph, const Matrix &matrix,
                                   const std::vector<float> &values) {
  int64_t width = matrix.headColumns, rows = graph.rowsOf(matrix);
  if (!width)
    return values;
  std::vector<float> stored;
  for (int64_t head = 0; head < graph.columnsOf(matrix); head += width)
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t column = head; column < head + width; ++column)
        stored.push_back(values[row * graph.columnsOf(matrix) + column]);
  return stored;
}

std::string ScheduleChecker::run(const Graph &graph, func::FuncOp kernel,
                                 const Machine &machine, const Values &values) {
  FailureOr<DecodedKernel> decoded = decodeKernel(kernel, machine);
  if (failed(decoded))
    return "no program: " + said;
  std::vector<std::vector<char>> arrays;
  std::vector<unsigned> results;
  for (Role role : {Role::Input, Role::Result})
    for (auto [number, matrix] : llvm::enumerate(graph.matrices)) {
      if (matrix.role != role)
        continue;
      size_t count = numElements(graph, matrix);
      arrays.emplace_back(count * byteSize(matrix.type));
      if (role == Role::Input)
        storeFloats(matrix.type, values.matrices[number].data(),
                    arrays.back().data(), count);
      else
        results.push_back(number);
    }
  std::vector<void *> pointers;
  for (std::vector<char> &array : arrays)
    pointers.push_back(array.data());
  if (std::optional<Fault> fault =
          interpret(decoded->program, machine, pointers))
    return "fault: " + fault->message;
  for (auto [number, array] : llvm::zip_equal(
           results, llvm::ArrayRef(arrays).take_back(results.size()))) {
    std::vector<float> wanted =
        asStored(graph, graph.matrices[number], values.matrices[number]);
    std::vector<float> found(wanted.size());
    loadFloats(graph.matrices[number].type, array.data(), found.data(),
               found.size());
    if (found != wanted)
      return "wrong values in " + graph.matrices[number].name;
  }
  return "";
}

std::string ScheduleChecker::check(const Schedule &schedule,
                                   const Machine &machine,
                                   const Values &values) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  setMachine(*module, machine);
  OpBuilder builder(module->getBodyRegion());
  func::FuncOp kernel = createKernel(builder, schedule.graph);
  emitKernel(kernel, schedule, machine);
  PassManager passes(&context);
  buildPlacementPipeline(passes);
  passes.addNestedPass<func::FuncOp>(
      createVerifyLevel(VerifyLevelOptions{Level::Placed}));
  said.clear();
  std::string problem =
      failed(passes.run(*module))
          ? "cannot be placed: " + said
          : compare(computeCost(schedule, machine), kernel, machine);
  if (problem.empty())
    problem = compareWritten(schedule, kernel, machine);
  if (problem.empty() && values.areExact)
    problem = run(schedule.graph, kernel, machine, values);
  if (problem.empty())
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  os << problem << "\n";
  printGraph(os, schedule.graph);
  os << "\n" << printPlan(schedule.graph, schedule.plan);
  return text;
}
