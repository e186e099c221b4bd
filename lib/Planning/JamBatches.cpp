//===- JamBatches.cpp - Several batches at once ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JamBatches.h"

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
  if (view.buffer) // others are outside of all batches
    if (auto own = buffers.find(*view.buffer); own != buffers.end())
      view.buffer = own->second;
  return view;
}

Argument BatchJam::Copy::operator()(Argument argument) const {
  if (argument.block)
    argument.block = (*this)(*argument.block);
  return argument;
}

void BatchJam::replay(PlanVisitor &visitor, const LinearExpr &first,
                      int64_t count, int32_t &nextBuffer) const {
  std::vector<Copy> copies;
  for (int64_t i = 0; i < count; ++i)
    copies.emplace_back().index = first + i;
  for (const auto &[event, shared] : events)
    if (shared)
      shared(visitor);
    else
      for (Copy &copy : copies)
        event(visitor, copy, nextBuffer);
}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

void BatchJam::enterStage(unsigned stage) {
  share([=](PlanVisitor &visitor) { visitor.enterStage(stage); });
}

void BatchJam::beginLoop(int32_t loop, int64_t trips) {
  share([=](PlanVisitor &visitor) { visitor.beginLoop(loop, trips); });
}

void BatchJam::endLoop(int32_t loop) {
  share([=](PlanVisitor &visitor) { visitor.endLoop(loop); });
}

void BatchJam::allocate(int32_t number, const PlannedBuffer &buffer) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &nextBuffer) {
    of.buffers[number] = nextBuffer;
    visitor.allocate(nextBuffer++, buffer);
  });
}

void BatchJam::copy(const BlockView &from, const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.copy(of(from), of(to));
  });
}

void BatchJam::transposeByDma(const BlockView &from, const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.transposeByDma(of(from), of(to));
  });
}

void BatchJam::multiply(const BlockView &stationary, const BlockView &moving,
                        const BlockView &bank, const LinearExpr &index) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.multiply(of(stationary), of(moving), of(bank), index);
  });
}

void BatchJam::transpose(const BlockView &from, const BlockView &bank) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.transpose(of(from), of(bank));
  });
}

void BatchJam::convert(const BlockView &from, const BlockView &to,
                       std::optional<Engine> engine) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.convert(of(from), of(to), engine);
  });
}

void BatchJam::add(const BlockView &from, const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.add(of(from), of(to));
  });
}

void BatchJam::activate(Function function, const BlockView &from,
                        const Argument &scale, const Argument &bias,
                        const BlockView &to, const BlockView *sums) {
  std::optional<BlockView> summed;
  if (sums)
    summed = *sums;
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    std::optional<BlockView> own;
    if (summed)
      own = of(*summed);
    visitor.activate(function, of(from), of(scale), of(bias), of(to),
                     own ? &*own : nullptr);
  });
}

void BatchJam::combine(Function function, const Argument &left,
                       const Argument &right, const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.combine(function, of(left), of(right), of(to));
  });
}

void BatchJam::fill(float value, const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.fill(value, of(to));
  });
}

void BatchJam::reduce(Function function, const BlockView &from,
                      const BlockView &to) {
  record([=](PlanVisitor &visitor, Copy &of, int32_t &) {
    visitor.reduce(function, of(from), of(to));
  });
}
