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

/// `count` blocks as `view` as one, `step` columns behind each other.
static BlockView apart(BlockView view, int64_t count, int64_t step) {
  if (view.columns == step)
    view.columns *= count;
  else
    std::tie(view.runs, view.runStep) = std::tuple(count, step);
  return view;
}

BlockView BatchJam::Copy::operator()(BlockView view) const {
  view.row = replaceBatch(std::move(view.row), index);
  view.column = replaceBatch(std::move(view.column), index);
  if (!view.buffer)
    return view;
  int64_t group = jam.groupSizeOf(view.matrix);
  auto takeGroup = [&] {
    view.row += number % group * view.rows;
    if (whom != For::Each)
      view.rows *= group;
  };
  switch (jam.sideOf(view)) {
  case Side::None:
    if (whom == For::All && jam.rowsForAll.contains(*view.buffer))
      view.rows = jam.count * jam.pitch;
    break;
  case Side::Rows:
    view.row += number * jam.pitch;
    if (whom == For::All)
      view.rows = jam.count * jam.pitch;
    break;
  case Side::Columns:
    view.column += number * jam.pitch;
    if (whom == For::All)
      view.columns = jam.count * jam.pitch;
    break;
  case Side::Diagonal: // a block of all columns for each group
    takeGroup();
    view.column += (number / group * jam.count + number) * jam.pitch;
    if (whom == For::All)
      view.columns = jam.count / group * jam.count * jam.pitch;
    break;
  case Side::Below:
    takeGroup();
    break;
  case Side::Beside: {
    int64_t size = jam.isGrouped[view.matrix] ? group : jam.count;
    int64_t columns = jam.columns.lookup(*view.buffer);
    view.column += number % size * columns;
    if (whom != For::Each)
      view = apart(view, size, columns);
    break;
  }
  }
  for (const Buffers *known : buffers)
    if (auto own = known->find(*view.buffer); own != known->end()) {
      view.buffer = own->second; // others are outside of all batches
      break;
    }
  return view;
}

/// `view`, whose columns belong to those of `to`: as far apart as these.
BlockView BatchJam::Copy::operator()(const BlockView &view,
                                     const BlockView &to) const {
  BlockView own = (*this)(view);
  if (whom != For::All || !jam.comesApart(view, to))
    return own;
  own.columns = view.columns;
  return apart(own, jam.count, jam.pitch);
}

Argument BatchJam::Copy::operator()(Argument argument) const {
  if (argument.block)
    argument.block = (*this)(*argument.block);
  return argument;
}

struct BatchJam::Copies {
  Copies(const BatchJam &jam, const LinearExpr &first, int32_t &nextBuffer)
      : buffers(2 * jam.count + 1) {
    Buffers *shared = &buffers[2 * jam.count];
    auto copy = [&](int64_t number, For whom,
                    llvm::ArrayRef<Buffers *> outside) {
      Copy made{jam, first + number, number, whom, {}, &nextBuffer};
      made.buffers.assign(outside.begin(), outside.end());
      return made;
    };
    for (int64_t i = 0; i < jam.count; ++i) {
      Buffers *own = &buffers[i];
      Buffers *group = &buffers[jam.count + i / jam.groupSize];
      each.push_back(copy(i, For::Each, {own, group, shared}));
      if (i % jam.groupSize == 0)
        groups.push_back(copy(i, For::Group, {group, shared}));
    }
    all.push_back(copy(0, For::All, {shared}));
  }

  llvm::MutableArrayRef<Copy> of(For whom) {
    return whom == For::Each ? each : whom == For::Group ? groups : all;
  }

  std::vector<Buffers> buffers;
  std::vector<Copy> each, groups, all;
  size_t next = 0;  // event
  double begin = 0; // of it
};

/// When `event` comes in a batch that is behind by `lag` strips, measured in
/// the time of the first one: behind its end strips are as long as the last
/// one.
double BatchJam::timeOf(const Recorded &event, double lag) const {
  auto begin = [&](size_t strip) {
    return strip < strips.size() ? strips[strip] : time;
  };
  auto length = [&](size_t strip) {
    return std::max(begin(strip + 1) - begin(strip), 1.0);
  };
  double done = double(event.strip) + lag +
                (event.begin - begin(event.strip)) / length(event.strip);
  size_t strip = std::min(size_t(done), strips.size() - 1);
  return begin(strip) + (done - double(strip)) * length(strip);
}

/// When stack `number` comes to `event`: as many are at work as are staggered.
/// Behind these the next ones begin: with their last strip, as it has little to
/// share out, but behind a single one.
double BatchJam::beginOf(const Recorded &event, int64_t number) const {
  if (!staggered)
    return event.begin;
  double ofTurn = time;
  if (size_t count = strips.size() - 1)
    ofTurn -= strips[1] + (time - strips.back()) * (1 - 1 / double(count));
  auto [turn, place] = std::div(number, staggered);
  return double(turn) * ofTurn +
         timeOf(event, double(place) / double(staggered));
}

void BatchJam::replay(PlanVisitor &visitor, const LinearExpr &first,
                      int32_t &nextBuffer) const {
  if (events.empty())
    return;
  std::vector<Copies> stacks;
  stacks.reserve(jam / count);
  for (int64_t i = 0; i < jam; i += count) {
    stacks.emplace_back(*this, first + i, nextBuffer);
    stacks.back().begin = beginOf(events.front(), i / count);
  }
  // Of the next events of all stacks the earliest one is told.
  auto isEarlier = [](const Copies &left, const Copies &right) {
    return std::tie(left.begin, left.next) < std::tie(right.begin, right.next);
  };
  std::optional<unsigned> told;
  for (size_t rest = events.size() * stacks.size(); rest > 0; --rest) {
    Copies &stack = *llvm::min_element(stacks, isEarlier);
    const Recorded &event = events[stack.next++];
    stack.begin = stack.next < events.size()
                      ? beginOf(events[stack.next], &stack - stacks.data())
                      : std::numeric_limits<double>::max();
    if (event.whom == For::Once && &stack != stacks.data())
      continue;
    if (told != event.stage)
      visitor.enterStage(*(told = event.stage));
    for (Copy &copy : stack.of(event.whom))
      event.tell(visitor, copy);
  }
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

/// About how long `engine` takes for as many columns, without their latency.
double BatchJam::nsOf(Engine engine, int64_t columns) const {
  double cycles = double(std::max(columns, machine.minCycles));
  switch (engine) {
  case Engine::Tensor:
    return cycles * machine.tensorNsPerColumn;
  case Engine::Scalar:
    return cycles / machine.scalarGHz;
  default:
    return cycles / machine.vectorGHz;
  }
}

static bool isOf(const Argument &argument, const BlockView &view) {
  return argument.block && argument.block->buffer == view.buffer;
}

/// Whether an instruction that writes `to` is one for all batches, if what it
/// reads allows that. If not, zeros are what lies between the batches, unless
/// something does already since it reads `to`.
BatchJam::For BatchJam::forWhom(const BlockView &to, bool areCommon,
                                bool readsIt) {
  Side side = sideOf(to);
  if (side == Side::None)
    return For::Each;
  if (side == Side::Below || side == Side::Beside)
    return areCommon ? ownersOf(side, to.matrix) : For::Each;
  if (areCommon && side != Side::Diagonal && isFull(to))
    return For::All;
  if (!readsIt)
    record(For::All, [this, to](PlanVisitor &visitor, Copy &of) {
      BlockView all = of(to);
      int64_t height = machine.partitions, width = machine.movingFreeMax;
      for (int64_t row = 0; row < all.rows; row += height)
        for (int64_t column = 0; column < all.columns; column += width)
          visitor.fill(
              0, partOf(all, {row, std::min(height, all.rows - row), column,
                              std::min(width, all.columns - column)}));
    });
  return For::Each;
}

void BatchJam::enterStage(unsigned number) { stage = number; }

void BatchJam::enterStrip() { strips.push_back(time); }

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
  Side side = sideOf(buffer);
  sides[number] = side;
  columns[number] = buffer.columns;
  int64_t group = groupSizeOf(buffer.matrix);
  if (side == Side::Rows)
    whole.rows = count * pitch;
  if (side == Side::Columns)
    whole.columns = count * pitch;
  if (side == Side::Diagonal)
    whole.columns = count / group * count * pitch;
  if (side == Side::Beside)
    whole.columns *= isGrouped[buffer.matrix] ? group : count;
  if (side == Side::Diagonal || side == Side::Below)
    whole.rows *= group;
  record(ownersOf(side, buffer.matrix), [=](PlanVisitor &visitor, Copy &of) {
    (*of.buffers.front())[number] = *of.nextBuffer;
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
  For whom = sideOf(moving) == Side::Below ? For::Group : For::Each;
  record(
      whom,
      [=](PlanVisitor &visitor, Copy &of) {
        BlockView left = of(stationary), right = of(moving), to = of(bank);
        if (!addsUp)
          return visitor.multiply(left, right, to, index);
        left.column += of.number * -pitch; // with the zeros in front
        left.columns = to.rows = count * pitch;
        to.row = 0;
        visitor.multiply(left, right, to, of.number ? LinearExpr(1) : index);
      },
      nsOf(Engine::Tensor, moving.columns));
}

void BatchJam::transpose(const BlockView &from, const BlockView &bank) {
  bool isTurned = sideOf(from) != Side::None && sideOf(from) != sideOf(bank) &&
                  isFull(from);
  record(
      forWhom(bank, isTurned),
      [=](PlanVisitor &visitor, Copy &of) {
        visitor.transpose(of(from), of(bank));
      },
      nsOf(Engine::Tensor, from.rows));
}

void BatchJam::convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {
  record(
      forWhom(to, isCommon(from, sideOf(to)) || comesApart(from, to)),
      [=](PlanVisitor &visitor, Copy &of) {
        visitor.convert(of(from, to), of(to), engine);
      },
      nsOf(engine.value_or(Engine::Scalar), to.width()));
}

void BatchJam::add(const BlockView &from, const BlockView &to) {
  record(
      forWhom(to, isCommon(from, sideOf(to)), /*readsIt=*/true),
      [=](PlanVisitor &visitor, Copy &of) { visitor.add(of(from), of(to)); },
      nsOf(Engine::Vector, to.width()));
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
    return side != Side::Rows && argument.block &&
           sideOf(*argument.block) == Side::Columns;
  };
  bool areCommon = (isCommon(from, side) || comesApart(from, to)) &&
                   isCommon(scale, side) && isCommon(bias, side) &&
                   !isOfOne(scale) && !isOfOne(bias) &&
                   (!sums || isCommon(*sums, Side::Rows));
  bool readsIt = isOf({from}, to) || isOf(scale, to) || isOf(bias, to);
  For whom = forWhom(to, areCommon, readsIt);
  if (sums && whom == For::Each)
    forWhom(*sums, /*areCommon=*/false);
  record(
      whom,
      [=](PlanVisitor &visitor, Copy &of) {
        std::optional<BlockView> own;
        if (summed)
          own = of(*summed);
        visitor.activate(function, of(from, to), of(scale), of(bias), of(to),
                         own ? &*own : nullptr);
      },
      nsOf(Engine::Scalar, to.width()));
}

void BatchJam::combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to) {
  Side side = sideOf(to);
  record(
      forWhom(to, isCommon(left, side) && isCommon(right, side),
              isOf(left, to) || isOf(right, to)),
      [=](PlanVisitor &visitor, Copy &of) {
        visitor.combine(function, of(left), of(right), of(to));
      },
      nsOf(Engine::Vector, to.width()));
}

void BatchJam::select(const BlockView &condition, const BlockView &taken,
                      const BlockView &other, const BlockView &to) {
  bool areCommon = true, readsIt = false;
  for (const BlockView *read : {&condition, &taken, &other}) {
    areCommon &= isCommon(*read, sideOf(to));
    readsIt |= isOf({*read}, to);
  }
  record(
      forWhom(to, areCommon, readsIt),
      [=](PlanVisitor &visitor, Copy &of) {
        visitor.select(of(condition), of(taken), of(other), of(to));
      },
      nsOf(Engine::Vector, to.width()));
}

void BatchJam::fill(float value, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/true),
         [=](PlanVisitor &visitor, Copy &of) { visitor.fill(value, of(to)); });
}

void BatchJam::reduce(Function function, const BlockView &from,
                      const BlockView &to) {
  record(
      forWhom(to, isCommon(from, sideOf(to))),
      [=](PlanVisitor &visitor, Copy &of) {
        visitor.reduce(function, of(from), of(to));
      },
      nsOf(Engine::Vector, from.width()));
}
