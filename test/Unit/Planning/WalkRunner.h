//===- WalkRunner.h - Executes what a plan stands for -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Records what the walk tells, then executes it on whole numbers: every region
// must lie inside of its buffer in all iterations, everything that is read must
// have been written, and the results must be those of the graph.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_PLANNING_WALKRUNNER_H
#define TRN_TEST_UNIT_PLANNING_WALKRUNNER_H

#include "Batches.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Walk.h"
#include <map>

namespace mlir::trn::planning {

class WalkRunner final : public PlanVisitor {
public:
  WalkRunner(const Schedule &schedule, const Machine &machine)
      : schedule(schedule), machine(machine) {
    walkInOrder(schedule, machine, *this);
  }

  /// Values; those that were never written are absent.
  struct Values {
    Space space = Space::Hbm;
    int64_t rows = 0, columns = 0;
    std::vector<std::optional<int64_t>> at = {};
  };

  /// What is wrong; empty if nothing is. `wanted` has what the graph says of
  /// each matrix, found here if it is empty: plans of one graph share it.
  std::string run(std::vector<Values> &wanted);
  std::string run() {
    std::vector<Values> wanted;
    return run(wanted);
  }

  int64_t readBytes = 0, writeBytes = 0;
  /// The stages in the order in which they worked: "xt o xt o" if a second
  /// strip was transposed behind the products of the first one.
  std::string order;
  /// Products of several batches at once, instructions on what lies apart in a
  /// buffer of several batches, and tiles of neighbouring rows, transposed.
  int productsOfGroups = 0, instructionsApart = 0, neighbours = 0,
      severalBanks = 0;

private:
  enum class Kind {
    Loop,
    End,
    Allocate,
    Copy,
    Turn,
    Multiply,
    Transpose,
    Convert,
    Add,
    Apply,
    Reduce,
    Fill,
    Keep
  };
  struct Step {
    Kind kind;
    std::vector<BlockView> regions = {};
    int32_t number = 0;
    int64_t trips = 0;
    PlannedBuffer buffer = {};
    LinearExpr index = {};
    /// What is applied; its first argument is scaled and biased if it has
    /// three.
    Function function = Function::Copy;
    std::vector<Argument> arguments = {};
    std::optional<BlockView> sums = std::nullopt;
  };
  /// Where the elements of a region are in this iteration.
  struct Cells {
    std::optional<int64_t> &at(int64_t row, int64_t column) const {
      return first[row * pitch + column / run * runStep +
                   column % run * columnStep];
    }
    std::optional<int64_t> *first;
    int64_t pitch, run, runStep, columnStep;
    unsigned matrix;
  };

  void beginLoop(int32_t loop, int64_t trips) override {
    steps.push_back({Kind::Loop, {}, loop, trips});
  }
  void endLoop(int32_t loop) override { steps.push_back({Kind::End}); }
  void allocate(int32_t number, const PlannedBuffer &buffer) override {
    steps.push_back({Kind::Allocate, {}, number, 0, buffer});
  }
  void copy(const BlockView &from, const BlockView &to) override {
    steps.push_back({Kind::Copy, {from, to}});
  }
  void transposeByDma(const BlockView &from, const BlockView &to) override {
    steps.push_back({Kind::Turn, {from, to}});
  }
  void multiply(const BlockView &stationary, const BlockView &moving,
                const BlockView &bank, const LinearExpr &index) override {
    productsOfGroups +=
        moving.rows >
        schedule.graph.rowsOf(schedule.graph.matrices[moving.matrix]);
    steps.push_back(
        {Kind::Multiply, {stationary, moving, bank}, 0, 0, {}, index});
  }
  void transpose(const BlockView &from, const BlockView &bank) override {
    instructionsApart += from.runs > 1;
    neighbours += bank.columnStep > 1;
    steps.push_back({Kind::Transpose, {from, bank}});
  }
  void convert(const BlockView &from, const BlockView &to,
               std::optional<Engine> engine) override {
    instructionsApart += to.runs > 1;
    steps.push_back({Kind::Convert, {from, to}});
  }
  void add(const BlockView &from, const BlockView &to) override {
    steps.push_back({Kind::Add, {from, to}});
  }

  void activate(Function function, const BlockView &from, const Argument &scale,
                const Argument &bias, const BlockView &to,
                const BlockView *sums) override {
    apply(function, {{from}, scale, bias}, to);
    if (sums)
      steps.back().sums = *sums;
  }
  void fill(float value, const BlockView &to) override {
    addNumbers(Kind::Fill, to, {value});
  }
  void keepSide(int64_t start, int64_t rowStep, int64_t columnStep,
                float otherwise, const BlockView &block) override {
    addNumbers(Kind::Keep, block,
               {otherwise, float(start), float(rowStep), float(columnStep)});
  }
  void addNumbers(Kind kind, const BlockView &block,
                  llvm::ArrayRef<float> numbers) {
    Step step{kind, {block}};
    for (float number : numbers)
      step.arguments.push_back({std::nullopt, number});
    steps.push_back(step);
  }
  void reduce(Function function, const BlockView &from,
              const BlockView &to) override {
    steps.push_back({Kind::Reduce, {from, to}, 0, 0, {}, {}, function});
  }
  void combine(Function function, const Argument &left, const Argument &right,
               const BlockView &to, const Then *then) override {
    apply(function, {left, right}, to);
    if (!then)
      return;
    std::vector<Argument> arguments{{to}, then->other};
    if (then->isReversed)
      std::swap(arguments.front(), arguments.back());
    apply(then->function, arguments, to);
  }
  void select(const BlockView &condition, const BlockView &taken,
              const BlockView &other, const BlockView &to) override {
    apply(Function::Select, {{condition}, {taken}, {other}}, to);
  }
  void apply(Function function, std::vector<Argument> arguments,
             const BlockView &to) {
    Step step{Kind::Apply, {to}, 0, 0, {}, {}, function, std::move(arguments)};
    for (const Argument &argument : step.arguments)
      if (argument.block)
        step.regions.push_back(*argument.block);
    steps.push_back(step);
  }

  Values makeValues(Space space, int64_t rows, int64_t columns) {
    return {space, rows, columns,
            std::vector<std::optional<int64_t>>(rows * columns)};
  }
  void executeFrom(size_t first, size_t end);
  void execute(const Step &step);
  void multiply(const Step &step);
  void apply(const Step &step);
  void fill(const Step &step);
  void fold(Function function, const BlockView &from, const BlockView &to);
  Values &valuesOf(const BlockView &region) {
    return region.buffer ? buffers[*region.buffer] : matrices[region.matrix];
  }
  Cells locate(const BlockView &region);
  int64_t read(const Cells &cells, int64_t row, int64_t column);
  int64_t stepOf(const BlockView &region);
  void checkRegion(const BlockView &region, bool isTile);
  void checkBank(const BlockView &region);
  void worked(unsigned matrix);
  void fail(std::string message) {
    if (problem.empty())
      problem = std::move(message);
  }
  void fillInputs();
  void fillMask(const Matrix &matrix, Values &values);
  std::vector<Values> expected() const;
  void computeBatch(const Batch &batch, std::vector<Values> &all) const;

  const Schedule &schedule;
  const Machine &machine;
  std::vector<Step> steps;
  std::vector<Values> matrices;
  std::map<int32_t, Values> buffers;
  std::vector<int64_t> counters;
  std::optional<unsigned> last;
  std::string problem;
};

} // namespace mlir::trn::planning

#endif // TRN_TEST_UNIT_PLANNING_WALKRUNNER_H
