//===- JamBatches.cpp - Several batches at once ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JamBatches.h"

#include "BufferWalker.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/TileLimits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// Telling
//===----------------------------------------------------------------------===//

/// `expr` with `index` in the place of the batch.
static LinearExpr replaceBatch(LinearExpr expr, const LinearExpr &index) {
  auto term = llvm::find_if(expr.terms, [](const LinearExpr::Term &term) {
    return term.loop == BatchJam::batch;
  });
  if (term == expr.terms.end())
    return expr;
  int64_t coefficient = term->coefficient;
  expr.terms.erase(term);
  return expr + index * coefficient;
}

BlockView BatchJam::Copy::operator()(BlockView view) const {
  view.row = replaceBatch(std::move(view.row), index);
  view.column = replaceBatch(std::move(view.column), index);
  if (!view.buffer)
    return view;
  switch (jam.sideOf(view)) {
  case Side::None:
    if (isOfAll && jam.rowsForAll.contains(*view.buffer))
      view.rows = jam.count * jam.pitch;
    break;
  case Side::Rows:
    view.row += number * jam.pitch;
    if (isOfAll)
      view.rows = jam.count * jam.pitch;
    break;
  case Side::Columns:
    view.column += number * jam.pitch;
    if (isOfAll)
      view.columns = jam.count * jam.pitch;
    break;
  case Side::Diagonal:
    view.column += number * (jam.count + 1) * jam.pitch;
    if (isOfAll)
      view.columns = jam.count * jam.count * jam.pitch;
    break;
  }
  if (auto own = buffers->find(*view.buffer); own != buffers->end())
    view.buffer = own->second;
  else if (auto shared = sharedBuffers->find(*view.buffer);
           shared != sharedBuffers->end())
    view.buffer = shared->second; // others are outside of all batches
  return view;
}

Argument BatchJam::Copy::operator()(Argument argument) const {
  if (argument.block)
    argument.block = (*this)(*argument.block);
  return argument;
}

void BatchJam::replay(PlanVisitor &visitor, const LinearExpr &first,
                      int32_t &nextBuffer) const {
  int64_t stacks = jam / count;
  std::vector<Buffers> own(jam), shared(stacks);
  std::vector<Copy> each, all;
  for (int64_t i = 0; i < jam; ++i)
    each.push_back({*this, first + i, i % count, /*isOfAll=*/false, &own[i],
                    &shared[i / count], &nextBuffer});
  for (int64_t i = 0; i < stacks; ++i)
    all.push_back({*this, first + i * count, 0, /*isOfAll=*/true, &shared[i],
                   &shared[i], &nextBuffer});
  if (staggered)
    return stagger(visitor, each, all);
  for (const auto &[whom, stage, event] : events) {
    llvm::MutableArrayRef<Copy> copies = whom == For::Each ? each : all;
    for (Copy &copy : whom == For::Once ? copies.take_front() : copies)
      event(visitor, copy);
  }
}

/// Each batch, or stack, begins a part of the events behind the one before.
/// There are no loops.
void BatchJam::stagger(PlanVisitor &visitor, llvm::MutableArrayRef<Copy> each,
                       llvm::MutableArrayRef<Copy> all) const {
  int64_t total = events.size(), apart = total / staggered;
  int64_t size = stacked ? count : 1, groups = jam / size;
  std::optional<unsigned> current;
  for (int64_t at = 0; at < total + apart * (groups - 1); ++at)
    for (int64_t group = 0; group < groups; ++group) {
      int64_t number = at - group * apart;
      if (number < 0 || number >= total)
        continue;
      const Recorded &next = events[number];
      if (current != next.stage)
        visitor.enterStage(*(current = next.stage));
      for (Copy &copy : next.whom == For::All ? all.slice(group, 1)
                                              : each.slice(group * size, size))
        next.event(visitor, copy);
    }
}

//===----------------------------------------------------------------------===//
// Stacking
//===----------------------------------------------------------------------===//

BatchJam::BatchJam(const Graph &graph, const Plan &plan, const Machine &machine)
    : graph(graph), stacked(plan.stacked), jam(plan.jam),
      staggered(plan.staggered), count(stacked ? stackSize(jam, machine) : jam),
      pitch(stackPitch(machine)), partitions(machine.partitions) {
  for (unsigned matrix = 0; matrix < graph.matrices.size(); ++matrix) {
    auto isStationary = [&](const Term &term) {
      return term.left == matrix && term.right != matrix &&
             graph.sizeOf(term.over) <= machine.partitions;
    };
    auto isStationaryIn = [&](unsigned nest) {
      const Stage &stage = graph.stages[nest];
      return stage.result == matrix ||
             (!stage.terms.empty() && llvm::all_of(stage.terms, isStationary) &&
              !llvm::is_contained(stage.expression.matrices(), matrix));
    };
    isDiagonal.push_back(
        stacked && graph.matrices[matrix].role != Role::Result &&
        graph.matrices[matrix].columns == *stacked &&
        llvm::all_of(nestsThatUse(graph, matrix), isStationaryIn));
  }
}

/// Whether the products of all batches add up in the banks of `stage`.
bool BatchJam::addsUp(const Stage &stage) const {
  return !stage.terms.empty() &&
         llvm::all_of(stage.terms,
                      [&](const Term &term) { return isDiagonal[term.left]; });
}

BatchJam::Side BatchJam::sideOf(const PlannedBuffer &buffer) const {
  if (!stacked)
    return Side::None;
  const Matrix &matrix = graph.matrices[buffer.matrix];
  // A bank holds the open sums of one product.
  if (buffer.space == Space::Psum)
    for (const Stage &stage : graph.stages)
      if (stage.result == buffer.matrix && !stage.isTransposition() &&
          !addsUp(stage))
        return Side::None;
  int64_t size = graph.sizeOf(*stacked);
  if (matrix.rows == *stacked && buffer.rows == size)
    return Side::Rows;
  if (matrix.columns != *stacked || buffer.columns != size)
    return Side::None;
  return isDiagonal[buffer.matrix] && buffer.space == Space::Sbuf
             ? Side::Diagonal
             : Side::Columns;
}

BatchJam::Side BatchJam::sideOf(const BlockView &view) const {
  return view.buffer ? sides.lookup(*view.buffer) : Side::None;
}

/// Whether `view`, of a buffer that is stacked, has all of the stacked dim.
bool BatchJam::isFull(const BlockView &view) const {
  int64_t size = graph.sizeOf(*stacked);
  return sideOf(view) == Side::Rows
             ? view.row == LinearExpr(0) && view.rows == size
             : view.columns == size && view.columnStep == 1;
}

/// Whether each batch has rows or columns of its own of `view`.
static bool isOfBatch(const BlockView &view) {
  auto counts = [](const LinearExpr &expr) {
    return llvm::any_of(expr.terms, [](const LinearExpr::Term &term) {
      return term.loop == BatchJam::batch;
    });
  };
  return counts(view.row) || counts(view.column);
}

/// Whether one instruction for all batches can read `view` when it writes a
/// buffer with the stacked dim on `side`.
bool BatchJam::isCommon(const BlockView &view, Side side) {
  if (side == Side::None || sideOf(view) == side)
    return side != Side::None && isFull(view);
  if (!view.buffer || sides.contains(*view.buffer) || isOfBatch(view))
    return false;
  // A column is for all others, a row is there for each of all batches.
  bool isRow =
      side == Side::Rows && graph.isRepeated(graph.stages[stage], view.matrix);
  if (isRow)
    rowsForAll.insert(*view.buffer);
  return isRow || (side == Side::Columns && view.columns == 1);
}

static bool isOf(const Argument &argument, const BlockView &view) {
  return argument.block && argument.block->buffer == view.buffer;
}

/// Whether an instruction that writes `to` is one for all batches, if what it
/// reads allows that. If not, zeros are what lies between the batches, unless
/// something does already since it reads `to`.
BatchJam::For BatchJam::forWhom(const BlockView &to, bool areCommon,
                                bool readsIt) {
  if (sideOf(to) == Side::None)
    return For::Each;
  if (areCommon && sideOf(to) != Side::Diagonal && isFull(to))
    return For::All;
  if (!readsIt)
    record(For::All, [this, to](PlanVisitor &visitor, Copy &of) {
      BlockView all = of(to);
      for (int64_t row = 0; row < all.rows; row += partitions)
        visitor.fill(0, partOf(all, {row, std::min(partitions, all.rows - row),
                                     0, all.columns}));
    });
  return For::Each;
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

void BatchJam::enterStage(unsigned number) {
  stage = number;
  record(For::Once,
         [=](PlanVisitor &visitor, Copy &) { visitor.enterStage(number); });
}

void BatchJam::beginLoop(int32_t loop, int64_t trips) {
  record(For::Once,
         [=](PlanVisitor &visitor, Copy &) { visitor.beginLoop(loop, trips); });
}

void BatchJam::endLoop(int32_t loop) {
  record(For::Once,
         [=](PlanVisitor &visitor, Copy &) { visitor.endLoop(loop); });
}

void BatchJam::allocate(int32_t number, const PlannedBuffer &buffer) {
  PlannedBuffer whole = buffer;
  Side side = sides[number] = sideOf(buffer);
  if (side == Side::Rows)
    whole.rows = count * pitch;
  if (side == Side::Columns)
    whole.columns = count * pitch;
  if (side == Side::Diagonal)
    whole.columns = count * count * pitch;
  record(side == Side::None ? For::Each : For::All,
         [=](PlanVisitor &visitor, Copy &of) {
           (*of.buffers)[number] = *of.nextBuffer;
           visitor.allocate((*of.nextBuffer)++, whole);
         });
}

void BatchJam::copy(const BlockView &from, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/false), [=](PlanVisitor &visitor, Copy &of) {
    visitor.copy(of(from), of(to));
  });
}

void BatchJam::transposeByDma(const BlockView &from, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/false), [=](PlanVisitor &visitor, Copy &of) {
    visitor.transposeByDma(of(from), of(to));
  });
}

void BatchJam::multiply(const BlockView &stationary, const BlockView &moving,
                        const BlockView &bank, const LinearExpr &index) {
  bool addsUp = sideOf(stationary) == Side::Diagonal;
  record(For::Each, [=](PlanVisitor &visitor, Copy &of) {
    BlockView left = of(stationary), right = of(moving), to = of(bank);
    if (!addsUp)
      return visitor.multiply(left, right, to, index);
    left.column += of.number * -pitch; // with the zeros in front
    left.columns = to.rows = count * pitch;
    to.row = 0;
    visitor.multiply(left, right, to, of.number ? LinearExpr(1) : index);
  });
}

void BatchJam::transpose(const BlockView &from, const BlockView &bank) {
  bool isTurned = sideOf(from) != Side::None && sideOf(from) != sideOf(bank) &&
                  isFull(from);
  record(forWhom(bank, isTurned), [=](PlanVisitor &visitor, Copy &of) {
    visitor.transpose(of(from), of(bank));
  });
}

void BatchJam::convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {
  record(forWhom(to, isCommon(from, sideOf(to))),
         [=](PlanVisitor &visitor, Copy &of) {
           visitor.convert(of(from), of(to), engine);
         });
}

void BatchJam::add(const BlockView &from, const BlockView &to) {
  record(
      forWhom(to, isCommon(from, sideOf(to)), /*readsIt=*/true),
      [=](PlanVisitor &visitor, Copy &of) { visitor.add(of(from), of(to)); });
}

void BatchJam::activate(Function function, const BlockView &from,
                        const Argument &scale, const Argument &bias,
                        const BlockView &to, const BlockView *sums) {
  std::optional<BlockView> summed;
  if (sums)
    summed = *sums;
  Side side = sideOf(to);
  // Each partition has one scale and one bias.
  auto isOfOne = [&](const Argument &argument) {
    return side == Side::Columns && argument.block &&
           sideOf(*argument.block) == Side::Columns;
  };
  bool areCommon = isCommon(from, side) && isCommon(scale, side) &&
                   isCommon(bias, side) && !isOfOne(scale) && !isOfOne(bias) &&
                   (!sums || isCommon(*sums, Side::Rows));
  bool readsIt = isOf({from}, to) || isOf(scale, to) || isOf(bias, to);
  For whom = forWhom(to, areCommon, readsIt);
  if (sums && whom == For::Each)
    forWhom(*sums, /*areCommon=*/false);
  record(whom, [=](PlanVisitor &visitor, Copy &of) {
    std::optional<BlockView> own;
    if (summed)
      own = of(*summed);
    visitor.activate(function, of(from), of(scale), of(bias), of(to),
                     own ? &*own : nullptr);
  });
}

void BatchJam::combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to) {
  Side side = sideOf(to);
  record(forWhom(to, isCommon(left, side) && isCommon(right, side),
                 isOf(left, to) || isOf(right, to)),
         [=](PlanVisitor &visitor, Copy &of) {
           visitor.combine(function, of(left), of(right), of(to));
         });
}

void BatchJam::fill(float value, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/true),
         [=](PlanVisitor &visitor, Copy &of) { visitor.fill(value, of(to)); });
}

void BatchJam::reduce(Function function, const BlockView &from,
                      const BlockView &to) {
  record(forWhom(to, isCommon(from, sideOf(to))),
         [=](PlanVisitor &visitor, Copy &of) {
           visitor.reduce(function, of(from), of(to));
         });
}
