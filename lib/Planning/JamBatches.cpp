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
For BatchJam::forWhom(const BlockView &to, bool areCommon, bool readsIt) {
  storeAtOnce.write(to);
  Side side = sideOf(to);
  if (side == Side::None)
    return For::Each;
  if (side == Side::Below || side == Side::Beside)
    return areCommon ? ownersOf(side, to.matrix) : For::Each;
  if (areCommon && side != Side::Diagonal && isFull(to))
    return For::All;
  if (!readsIt)
    record(For::All, [this, to](PlanVisitor &visitor, BatchCopy &of) {
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

void BatchJam::beginBatch() {
  shared = std::exchange(events, {});
  sharedTime = std::exchange(time, 0);
  strips = {0};
}

void BatchJam::enterStage(unsigned number) { stage = number; }

void BatchJam::enterStrip() { strips.push_back(time); }

void BatchJam::beginLoop(int32_t loop, int64_t trips) {
  record(For::Once, [=](PlanVisitor &visitor, BatchCopy &) {
    visitor.beginLoop(loop, trips);
  });
}

void BatchJam::endLoop(int32_t loop) {
  record(For::Once,
         [=](PlanVisitor &visitor, BatchCopy &) { visitor.endLoop(loop); });
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
  record(ownersOf(side, buffer.matrix),
         [=](PlanVisitor &visitor, BatchCopy &of) {
           PlannedBuffer allocated = whole;
           BatchCopy::Buffers *own = of.buffers.front();
           if (storeAtOnce.contains(number)) { // the first one needs it
             own = of.buffers.back();
             allocated.columns *= together;
             if (own->contains(number))
               return;
           }
           (*own)[number] = *of.nextBuffer;
           visitor.allocate((*of.nextBuffer)++, allocated);
         });
}

void BatchJam::copy(const BlockView &from, const BlockView &to) {
  if (together > 1)
    storeAtOnce.copy(from, to, from.buffer ? columns.lookup(*from.buffer) : 0);
  record(forWhom(to, /*areCommon=*/false),
         [=, store = events.size()](PlanVisitor &visitor, BatchCopy &of) {
           if (to.buffer || !storeAtOnce.contains(*from.buffer))
             visitor.copy(of(from), of(to));
           else if (++(*of.stored)[store] == together) // the last one
             visitor.copy(of.ofAll(from), of.ofAll(to));
         });
}

void BatchJam::transposeByDma(const BlockView &from, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/false),
         [=](PlanVisitor &visitor, BatchCopy &of) {
           visitor.transposeByDma(of(from), of(to));
         });
}

void BatchJam::multiply(const BlockView &stationary, const BlockView &moving,
                        const BlockView &bank, const LinearExpr &index) {
  bool addsUp = sideOf(stationary) == Side::Diagonal;
  For whom = sideOf(moving) == Side::Below ? For::Group : For::Each;
  record(
      whom,
      [=](PlanVisitor &visitor, BatchCopy &of) {
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
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.transpose(of(from), of(bank));
      },
      nsOf(Engine::Tensor, from.rows));
}

void BatchJam::convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {
  record(
      forWhom(to, isCommon(from, sideOf(to)) || comesApart(from, to)),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.convert(of(from, to), of(to), engine);
      },
      nsOf(engine.value_or(Engine::Scalar), to.width()));
}

void BatchJam::add(const BlockView &from, const BlockView &to) {
  record(
      forWhom(to, isCommon(from, sideOf(to)), /*readsIt=*/true),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.add(of(from), of(to));
      },
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
      [=](PlanVisitor &visitor, BatchCopy &of) {
        std::optional<BlockView> own;
        if (summed)
          own = of(*summed);
        visitor.activate(function, of(from, to), of(scale), of(bias), of(to),
                         own ? &*own : nullptr);
      },
      nsOf(Engine::Scalar, to.width()));
}

void BatchJam::combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to,
                       const Then *then) {
  Side side = sideOf(to);
  assert((!then || side == Side::None) && "a stack combines tiles");
  std::optional<Then> second;
  if (then)
    second = *then;
  record(
      forWhom(to, isCommon(left, side) && isCommon(right, side),
              isOf(left, to) || isOf(right, to)),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        std::optional<Then> own = second;
        if (own)
          own->other = of(own->other);
        visitor.combine(function, of(left), of(right), of(to),
                        own ? &*own : nullptr);
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
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.select(of(condition), of(taken), of(other), of(to));
      },
      nsOf(Engine::Vector, to.width()));
}

void BatchJam::fill(float value, const BlockView &to) {
  record(forWhom(to, /*areCommon=*/true),
         [=](PlanVisitor &visitor, BatchCopy &of) {
           visitor.fill(value, of(to));
         });
}

void BatchJam::reduce(Function function, const BlockView &from,
                      const BlockView &to) {
  record(
      forWhom(to, isCommon(from, sideOf(to))),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.reduce(function, of(from), of(to));
      },
      nsOf(Engine::Vector, from.width()));
}
