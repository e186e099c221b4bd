//===- WalkRunner.cpp - Executes what a plan stands for -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WalkRunner.h"

#include "MaskedGraphs.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// What the graph says
//===----------------------------------------------------------------------===//

/// Zeros, or numbers larger than all others, in the band.
void WalkRunner::fillMask(const Matrix &matrix, Values &values) {
  const Graph &graph = schedule.graph;
  int64_t inside = matrix.band->inside == 0 ? 0 : -lowest;
  for (const Batch &batch : allBatches(graph)) {
    BatchPlace place = placeOf(graph, matrix, batch);
    for (int64_t row = 0; row < graph.rowsOf(matrix); ++row)
      for (int64_t column = 0; column < graph.columnsOf(matrix); ++column)
        values.at[place.start + row * place.pitch + column] =
            isSeen(*matrix.band, row, column) ? inside : lowest;
  }
}

void WalkRunner::fillInputs() {
  int64_t seed = 1;
  for (const Matrix &matrix : schedule.graph.matrices) {
    int64_t pitch = placeOf(schedule.graph, matrix, {}).pitch;
    matrices.push_back(makeValues(
        Space::Hbm, numElements(schedule.graph, matrix) / pitch, pitch));
    if (matrix.band) {
      fillMask(matrix, matrices.back());
      continue;
    }
    if (matrix.role == Role::Constant)
      for (std::optional<int64_t> &value : matrices.back().at)
        value = int64_t(matrix.constant);
    if (matrix.role == Role::Input)
      for (std::optional<int64_t> &value : matrices.back().at)
        value =
            (seed = (seed * 1103515245 + 12345) & 0x7fffffff) / 65536 % 7 - 3;
  }
}

/// On whole numbers, which wrap around.
static int64_t compute(Function function, llvm::ArrayRef<int64_t> arguments) {
  int64_t one = arguments.front(), other = arguments.back();
  uint64_t a = one, b = other;
  switch (function) {
  case Function::Copy:
    return one;
  case Function::Relu:
    return std::max<int64_t>(one, 0);
  case Function::Square:
    return a * a;
  case Function::Exp: // what else it is does not matter
    return one < lowest / 2 ? 0 : a + 7;
  case Function::Add:
    return a + b;
  case Function::Sub:
    return a - b;
  case Function::Mul:
    return a * b;
  case Function::Max:
    return std::max(one, other);
  case Function::Min:
    return std::min(one, other);
  case Function::Select:
    return one ? arguments[1] : other;
  default:
    return 0;
  }
}

/// Of the sums of one element, and of elements of matrices.
static int64_t evaluate(const Expression &expression,
                        llvm::ArrayRef<int64_t> sums,
                        llvm::function_ref<int64_t(const Value &)> element) {
  std::vector<int64_t> values;
  for (const Value &value : expression.values) {
    std::vector<int64_t> arguments;
    for (unsigned argument : value.arguments)
      arguments.push_back(values[argument]);
    values.push_back(value.kind == Value::Kind::Sum      ? sums[value.number]
                     : value.kind == Value::Kind::Matrix ? element(value)
                     : value.kind == Value::Kind::Constant
                         ? int64_t(value.constant)
                         : compute(value.function, arguments));
  }
  return expression.isPlain() ? sums.front() : values.back();
}

std::vector<WalkRunner::Values> WalkRunner::expected() const {
  std::vector<Values> all = matrices;
  for (const Batch &batch : allBatches(schedule.graph))
    computeBatch(batch, all);
  return all;
}

void WalkRunner::computeBatch(const Batch &batch,
                              std::vector<Values> &all) const {
  const Graph &graph = schedule.graph;
  auto at = [&](unsigned number, int64_t row,
                int64_t column) -> std::optional<int64_t> & {
    BatchPlace place = placeOf(graph, graph.matrices[number], batch);
    return all[number].at[place.start + row * place.pitch + column];
  };
  auto get = [&](unsigned matrix, int64_t row, int64_t column) {
    return *at(matrix, row, column);
  };
  auto offset = [&](unsigned own, unsigned dim) {
    return own == dim ? 0 : graph.dims[own].offset;
  };
  for (const Stage &stage : graph.stages) {
    const Matrix &result = graph.matrices[stage.result];
    for (int64_t i = 0; i < graph.rowsOf(result); ++i)
      for (int64_t j = 0; j < graph.columnsOf(result); ++j) {
        int64_t &value = at(stage.result, i, j).emplace(0);
        auto sumsAt = [&](int64_t column) {
          std::vector<int64_t> sums(stage.numProducts() + 1);
          if (stage.isTransposition())
            sums[0] = get(*stage.source, column, i);
          for (const Term &term : stage.terms) {
            const Matrix &left = graph.matrices[term.left];
            const Matrix &right = graph.matrices[term.right];
            int64_t own =
                graph.isColumn(stage, term.sum)
                    ? 0
                    : column + offset(graph.columnsIn(stage), right.columns);
            for (int64_t k = 0; k < graph.sizeOf(term.over); ++k)
              sums[term.sum] +=
                  get(term.left, k + offset(term.over, left.rows),
                      i + offset(result.rows, left.columns)) *
                  get(term.right, k + offset(term.over, right.rows), own);
          }
          return sums;
        };
        auto index = [&](int64_t at, unsigned own, unsigned dim) {
          bool hasDim = dim == own || graph.dims[own].of == dim;
          return hasDim ? at + offset(own, dim) : 0;
        };
        unsigned columns = graph.columnsIn(stage);
        auto element = [&](int64_t column) {
          return evaluate(
              stage.expression, sumsAt(column), [&](const Value &value) {
                const Matrix &matrix = graph.matrices[value.number];
                int64_t row = index(i, result.rows, matrix.rows);
                if (graph.repeatsOf(stage, value.number) > 1)
                  return get(value.number, row,
                             column % graph.columnsOf(matrix));
                if (graph.readsByGroup(stage, value.number))
                  return get(value.number, row,
                             column / graph.groupSize(matrix.columns));
                int64_t own = index(column, columns, matrix.columns);
                if (!value.rotation)
                  return get(value.number, row, own);
                bool isRight = own / value.rotation % 2;
                return isRight ? get(value.number, row, own - value.rotation)
                               : -get(value.number, row, own + value.rotation);
              });
        };
        // A reduction is of all columns, or of those of a group.
        int64_t count = !stage.reduction     ? 1
                        : stage.reducesAll() ? graph.sizeOf(columns)
                                             : graph.groupSize(result.columns);
        int64_t first = j * count;
        value = element(first);
        for (int64_t k = 1; k < count; ++k)
          value =
              compute(stage.reduction->function, {value, element(first + k)});
      }
  }
}

std::string WalkRunner::run(std::vector<Values> &wanted) {
  fillInputs();
  if (wanted.empty())
    wanted = expected();
  executeFrom(0, steps.size());
  for (auto [i, matrix] : llvm::enumerate(schedule.graph.matrices))
    if (matrix.role == Role::Result && matrices[i].at != wanted[i].at)
      fail("wrong values in " + matrix.name);
  return problem;
}

//===----------------------------------------------------------------------===//
// What the walk says
//===----------------------------------------------------------------------===//

/// A body of a loop, or all: what it allocates is gone behind it.
void WalkRunner::executeFrom(size_t first, size_t end) {
  std::vector<int32_t> allocated;
  for (size_t i = first; i < end && problem.empty(); ++i) {
    const Step &step = steps[i];
    if (step.kind != Kind::Loop) {
      execute(step);
      if (step.kind == Kind::Allocate)
        allocated.push_back(step.number);
      continue;
    }
    size_t last = i + 1;
    for (int depth = 1; depth; ++last)
      depth += steps[last].kind == Kind::Loop  ? 1
               : steps[last].kind == Kind::End ? -1
                                               : 0;
    counters.resize(std::max<size_t>(counters.size(), step.number + 1));
    for (int64_t trip = 0; trip < step.trips; ++trip) {
      counters[step.number] = trip;
      executeFrom(i + 1, last - 1);
    }
    i = last - 1;
  }
  for (int32_t number : allocated)
    buffers.erase(number);
}

/// Columns from one run to the next. Heads lie behind each other in HBM.
int64_t WalkRunner::stepOf(const BlockView &region) {
  const Matrix &matrix = schedule.graph.matrices[region.matrix];
  int64_t width = matrix.headColumns;
  if (!width || region.buffer)
    return region.runStep;
  if (region.columns != width || region.column.evaluate(counters) % width ||
      region.runStep != schedule.graph.rowsOf(matrix) * width)
    fail("a region of " + matrix.name + " has parts of heads");
  return width;
}

void WalkRunner::checkRegion(const BlockView &region, bool isTile) {
  if (region.buffer && !buffers.count(*region.buffer))
    return fail("a buffer of " + schedule.graph.matrices[region.matrix].name +
                " is used where it is not allocated");
  const Values &values = valuesOf(region);
  int64_t row = region.row.evaluate(counters);
  int64_t column = region.column.evaluate(counters);
  int64_t reach = (region.runs - 1) * stepOf(region) +
                  (region.columns - 1) * region.columnStep;
  int64_t columns = values.columns, rows = values.rows;
  if (region.rowOf) { // its elements are one row
    column += (row + region.rows - 1) * *region.rowOf;
    columns *= std::exchange(rows, 1);
    row = 0;
  }
  std::string name = schedule.graph.matrices[region.matrix].name;
  if (region.rows < 1 || region.columns < 1 || row < 0 || column < 0 ||
      row + (region.repeated || region.rowOf ? 1 : region.rows) > rows ||
      column + reach >= columns || (region.rowOf && reach >= *region.rowOf))
    return fail("a region of " + name + " lies outside of its buffer");
  if (!region.buffer)
    return;
  int64_t side = machine.partitions, start = row % side;
  if (start && start + region.rows > side)
    fail("a region of " + name + " wraps around the partitions");
  int64_t width =
      values.space == Space::Psum ? machine.psumFreeMax : machine.sbufFreeMax;
  if (isTile && (start + region.rows > side || region.width() > width))
    fail("a tile of " + name + " is too large");
}

/// What the tensor engine writes.
void WalkRunner::checkBank(const BlockView &region) {
  int64_t first = region.column.evaluate(counters);
  int64_t last = first + (region.runs - 1) * region.runStep +
                 (region.columns - 1) * region.columnStep;
  if (first / machine.movingFreeMax != last / machine.movingFreeMax)
    fail("the tensor engine writes several banks");
  severalBanks += valuesOf(region).columns > machine.movingFreeMax;
}

WalkRunner::Cells WalkRunner::locate(const BlockView &region) {
  Values &values = valuesOf(region);
  int64_t pitch = region.rowOf.value_or(values.columns);
  const auto &window = schedule.graph.matrices[region.matrix].window;
  int64_t first =
      window && !region.buffer ? window->row * pitch + window->column : 0;
  return {values.at.data() + first + region.row.evaluate(counters) * pitch +
              region.column.evaluate(counters),
          region.repeated ? 0 : pitch,
          region.columns,
          stepOf(region),
          region.columnStep,
          region.matrix};
}

int64_t WalkRunner::read(const Cells &cells, int64_t row, int64_t column) {
  std::optional<int64_t> value = cells.at(row, column);
  if (!value)
    fail("read " + schedule.graph.matrices[cells.matrix].name +
         " before it was written");
  return value.value_or(0);
}

void WalkRunner::multiply(const Step &step) {
  const BlockView &left = step.regions[0], &right = step.regions[1],
                  &bank = step.regions[2];
  if (left.rows != right.rows || left.width() != bank.rows ||
      right.width() != bank.width())
    return fail("operands do not fit each other");
  checkBank(bank);
  bool adds = step.index.evaluate(counters) != 0;
  Cells leftCells = locate(left), rightCells = locate(right),
        sums = locate(bank);
  for (int64_t i = 0; i < bank.rows; ++i)
    for (int64_t j = 0; j < bank.width(); ++j) {
      int64_t sum = adds ? read(sums, i, j) : 0;
      for (int64_t k = 0; k < left.rows; ++k)
        sum += read(leftCells, k, i) * read(rightCells, k, j);
      sums.at(i, j) = sum;
    }
}

void WalkRunner::apply(const Step &step) {
  const BlockView &to = step.regions.front();
  int banks = 0;
  std::vector<Cells> cells; // of the arguments that have a block
  for (const Argument &argument : step.arguments) {
    if (!argument.block)
      continue;
    cells.push_back(locate(*argument.block));
    if (argument.block->rows != to.rows ||
        (argument.block->width() != to.width() &&
         (argument.block->width() != 1 || step.function == Function::Select)))
      return fail("arguments do not fit each other");
    if (!argument.block->buffer)
      return fail("an argument lies in HBM");
    banks += buffers[*argument.block->buffer].space == Space::Psum;
  }
  if (banks > 1)
    return fail("two arguments lie in PSUM");
  Cells results = locate(to);
  for (int64_t i = 0; i < to.rows; ++i)
    for (int64_t j = 0; j < to.width(); ++j) {
      std::vector<int64_t> values;
      auto next = cells.begin();
      for (const Argument &argument : step.arguments)
        values.push_back(
            argument.block
                ? read(*next++, i, argument.block->width() > 1 ? j : 0)
                : int64_t(argument.constant));
      if (values.size() == 3 && step.function != Function::Select)
        values = {compute(
            Function::Add,
            {compute(Function::Mul, {values[0], values[1]}), values[2]})};
      results.at(i, j) = compute(step.function, values);
    }
  if (step.sums)
    fold(Function::Add, to, *step.sums);
}

void WalkRunner::fold(Function function, const BlockView &from,
                      const BlockView &to) {
  if (from.rows != to.rows || to.width() != 1)
    return fail("a reduction does not leave one column");
  Cells cells = locate(from), results = locate(to);
  for (int64_t i = 0; i < from.rows; ++i) {
    int64_t value = read(cells, i, 0);
    for (int64_t j = 1; j < from.width(); ++j)
      value = compute(function, {value, read(cells, i, j)});
    results.at(i, 0) = value;
  }
}

/// Of one number, or of another one on a side of a diagonal.
void WalkRunner::fill(const Step &step) {
  const BlockView &block = step.regions.front();
  auto number = [&](size_t i) { return int64_t(step.arguments[i].constant); };
  float value = step.arguments.front().constant;
  Cells cells = locate(block);
  for (int64_t i = 0; i < block.rows; ++i)
    for (int64_t j = 0; j < block.width(); ++j)
      if (step.kind == Kind::Keep &&
          number(1) + i * number(2) + j * number(3) >= 0)
        read(cells, i, j);
      else
        cells.at(i, j) = value < -1e30f ? lowest : int64_t(value);
}

void WalkRunner::worked(unsigned matrix) {
  if (last == matrix)
    return;
  order += (last ? " " : "") + schedule.graph.matrices[matrix].name;
  last = matrix;
}

void WalkRunner::execute(const Step &step) {
  if (step.kind == Kind::Allocate) {
    buffers[step.number] =
        makeValues(step.buffer.space, step.buffer.rows, step.buffer.columns);
    return;
  }
  bool moves = step.kind == Kind::Copy || step.kind == Kind::Turn;
  for (const BlockView &region : step.regions)
    checkRegion(region, /*isTile=*/!moves);
  if (!problem.empty())
    return;
  if (step.kind == Kind::Apply)
    return apply(step);
  if (step.kind == Kind::Reduce)
    return fold(step.function, step.regions[0], step.regions[1]);
  if (step.kind == Kind::Fill || step.kind == Kind::Keep)
    return fill(step);
  const BlockView &from = step.regions[0], &to = step.regions.back();
  if (step.kind == Kind::Transpose)
    checkBank(to);
  bool turns = step.kind == Kind::Turn || step.kind == Kind::Transpose;
  if (turns || step.kind == Kind::Multiply)
    worked(to.matrix);
  if (step.kind == Kind::Multiply)
    return multiply(step);
  if (from.rows != (turns ? to.width() : to.rows) ||
      from.width() != (turns ? to.rows : to.width()))
    return fail("a copy changes the shape");
  if (moves) {
    if (from.buffer.has_value() == to.buffer.has_value())
      return fail("a transfer must have one end in HBM");
    (from.buffer ? writeBytes : readBytes) +=
        from.rows * from.width() *
        byteSize(schedule.graph.matrices[from.matrix].type);
  }
  Cells cells = locate(from), results = locate(to);
  for (int64_t i = 0; i < to.rows; ++i)
    for (int64_t j = 0; j < to.width(); ++j) {
      int64_t value = turns ? read(cells, j, i) : read(cells, i, j);
      if (step.kind == Kind::Add)
        value += read(results, i, j);
      results.at(i, j) = value;
    }
}
