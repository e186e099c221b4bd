//===- BatchJam.cpp - Several batches at once -----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchJam.h"

#include "BatchReplay.h"
#include "Blocks.h"
#include "trn/Machine/Machine.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

BatchJam::BatchJam(const Graph &graph, const Plan &plan, const Machine &machine,
                   unsigned firstNest)
    : graph(graph), plan(plan), machine(machine),
      layout(graph, plan, machine, firstNest),
      storeAtOnce(
          graph, machine,
          plan.stacked
              ? 1
              : std::min(plan.jam, graph.sizeOf(graph.batches().back()))) {}

void BatchJam::record(For whom, RecordedBatch::Tell tell, double ns) {
  own.events.push_back(
      {whom, stage, own.strips.size() - 1, own.time, std::move(tell)});
  int64_t times = whom == For::Each    ? layout.size()
                  : whom == For::Group ? layout.size() / layout.sizeOfGroup()
                                       : 1;
  own.time += ns * double(times);
}

void BatchJam::replay(PlanVisitor &visitor, const LinearExpr &first,
                      int32_t &nextBuffer) const {
  BatchReplay(graph, plan, layout, storeAtOnce, own, shared)
      .tell(visitor, first, nextBuffer);
}

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
  Side side = layout.sideOf(to);
  if (side == Side::None)
    return For::Each;
  if (side == Side::Below || side == Side::Beside)
    return areCommon ? layout.ownersOf(side, to.matrix) : For::Each;
  if (areCommon && side != Side::Diagonal && layout.isFull(to))
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

void BatchJam::beginBatch() { shared = std::exchange(own, {}); }

void BatchJam::enterStage(unsigned number) { stage = number; }

void BatchJam::enterStrip() { own.strips.push_back(own.time); }

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
  record(layout.ownersOf(buffer),
         [this, number, whole = layout.allocate(number, buffer)](
             PlanVisitor &visitor, BatchCopy &of) {
           PlannedBuffer allocated = whole;
           BatchCopy::Buffers *own = of.buffers.front();
           if (storeAtOnce.contains(number)) { // the first one needs it
             own = of.buffers.back();
             allocated.columns *= storeAtOnce.together();
             if (own->contains(number))
               return;
           }
           (*own)[number] = *of.nextBuffer;
           visitor.allocate((*of.nextBuffer)++, allocated);
         });
}

void BatchJam::copy(const BlockView &from, const BlockView &to) {
  if (storeAtOnce.together() > 1)
    storeAtOnce.copy(from, to,
                     from.buffer ? layout.columnsOf(*from.buffer) : 0);
  record(forWhom(to, /*areCommon=*/false),
         [=, store = own.events.size()](PlanVisitor &visitor, BatchCopy &of) {
           if (to.buffer || !storeAtOnce.contains(*from.buffer))
             visitor.copy(of(from), of(to));
           else if (++(*of.stored)[store] ==
                    storeAtOnce.together()) // the last one
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
  bool addsUp = layout.sideOf(stationary) == Side::Diagonal;
  For whom = layout.sideOf(moving) == Side::Below ? For::Group : For::Each;
  record(
      whom,
      [=](PlanVisitor &visitor, BatchCopy &of) {
        BlockView left = of(stationary), right = of(moving), to = of(bank);
        if (!addsUp)
          return visitor.multiply(left, right, to, index);
        left.column += of.number * -layout.pitch(); // with the zeros in front
        left.columns = to.rows = layout.size() * layout.pitch();
        to.row = 0;
        visitor.multiply(left, right, to, of.number ? LinearExpr(1) : index);
      },
      nsOf(Engine::Tensor, moving.columns));
}

void BatchJam::transpose(const BlockView &from, const BlockView &bank) {
  bool isTurned = layout.sideOf(from) != Side::None &&
                  layout.sideOf(from) != layout.sideOf(bank) &&
                  layout.isFull(from);
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
      forWhom(to,
              isCommon(from, layout.sideOf(to)) || layout.comesApart(from, to)),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.convert(of(from, to), of(to), engine);
      },
      nsOf(engine.value_or(Engine::Scalar), to.width()));
}

void BatchJam::add(const BlockView &from, const BlockView &to) {
  record(
      forWhom(to, isCommon(from, layout.sideOf(to)), /*readsIt=*/true),
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
  Side side = layout.sideOf(to);
  // Each partition has one scale and one bias.
  auto isOfOne = [&](const Argument &argument) {
    return side != Side::Rows && argument.block &&
           layout.sideOf(*argument.block) == Side::Columns;
  };
  bool areCommon = (isCommon(from, side) || layout.comesApart(from, to)) &&
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
  Side side = layout.sideOf(to);
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
    areCommon &= isCommon(*read, layout.sideOf(to));
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
      forWhom(to, isCommon(from, layout.sideOf(to))),
      [=](PlanVisitor &visitor, BatchCopy &of) {
        visitor.reduce(function, of(from), of(to));
      },
      nsOf(Engine::Vector, from.width()));
}
