//===- StackLayout.cpp - Where batches of a stack lie ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StackLayout.h"

#include "trn/Machine/Machine.h"
#include "trn/Planning/TileLimits.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

StackLayout::StackLayout(const Graph &graph, const Plan &plan,
                         const Machine &machine, unsigned firstNest)
    : graph(graph), machine(machine), stacked(plan.stacked),
      count(stacked ? stackSize(plan.jam, machine) : 1),
      apart(stackPitch(machine)) {
  auto isShared = [&](unsigned matrix) {
    auto computes = [&](const Stage &stage) { return stage.result == matrix; };
    return llvm::any_of(llvm::ArrayRef(graph.stages).take_front(firstNest),
                        computes) ||
           (graph.matrices[matrix].role == Role::Input &&
            !graph.hasBatch(matrix, graph.batches().back()));
  };
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
        graph.matrices[matrix].columns == *stacked && !isShared(matrix) &&
        llvm::all_of(nestsThatUse(graph, matrix), isStationaryIn));
  }
  // Where the tensor engine writes parts of its columns at few places, what is
  // turned batch by batch comes to the first of them.
  int64_t granule = machine.tensorColumnGranule;
  isTurnedApart.assign(graph.matrices.size(), false);
  for (auto [nest, stage] : llvm::enumerate(graph.stages))
    if (stage.isTransposition() && granule && apart % granule) {
      const Home *home = plan.homeOf(*stage.source, nest);
      isTurnedApart[stage.result] = home && home->whole;
    }
  findGroups(plan);
}

/// Whether `matrix`, with `dim` in its rows, may have those of a group: each
/// batch has its own, and they are only moved past stationary operands that
/// have zeros for all others.
bool StackLayout::fitsGroup(const Plan &plan, unsigned matrix,
                            unsigned dim) const {
  auto isMoving = [&](const Term &term) {
    return term.left != matrix && (term.right != matrix ||
                                   (isDiagonal[term.left] && term.over == dim));
  };
  auto isCut = [&](const Loop &loop) {
    return loop.dim == dim && loop.block < graph.sizeOf(dim);
  };
  unsigned source = matrix;
  for (unsigned nest : nestsThatUse(graph, matrix)) {
    const Stage &stage = graph.stages[nest];
    const Home *home = plan.homeOf(matrix, nest);
    if (!home || home->packed || home->whole ||
        llvm::any_of(plan.nests[nest].loops, isCut))
      return false;
    if (stage.result == matrix && stage.isTransposition())
      source = *stage.source;
    else if (stage.result == matrix || !llvm::all_of(stage.terms, isMoving) ||
             llvm::is_contained(stage.expression.matrices(), matrix))
      return false;
  }
  return graph.matrices[source].role == Role::Input &&
         graph.hasBatch(source, graph.batches().back());
}

/// Finds a dim with fewer indices than there are partitions, of which all
/// products of stacks that sum over it may have those of a group at once.
void StackLayout::findGroups(const Plan &plan) {
  isGrouped.assign(graph.matrices.size(), false);
  isMoving.assign(graph.matrices.size(), false);
  std::optional<unsigned> dim;
  for (const Stage &stage : graph.stages)
    for (const Term &term : stage.terms)
      if (!dim && isDiagonal[term.left] &&
          groupSizeFor(graph.sizeOf(term.over), count, machine) > 1)
        dim = term.over;
  auto isPart = [&](const Dim &each) { return each.of == dim; };
  if (!dim || graph.dims[*dim].of || llvm::any_of(graph.dims, isPart) ||
      plan.isInterleaved(*dim))
    return;
  // What becomes their rows lies beside each other: one instruction turns it.
  auto isTurnedAtOnce = [&](const Stage &stage) {
    llvm::SmallVector<unsigned> nests = nestsThatUse(graph, *stage.source);
    const Home *home =
        nests.size() == 1 ? plan.homeOf(*stage.source, nests.front()) : nullptr;
    return nests.size() == 1 && !(home && home->whole);
  };
  // Otherwise each one is turned to where its rows begin.
  auto canBeTurned = [&](const Stage &stage) {
    int64_t granule = machine.tensorColumnGranule;
    return !granule || graph.sizeOf(*dim) % granule == 0 ||
           isTurnedAtOnce(stage);
  };
  llvm::SmallVector<unsigned, 2> stationary, moving;
  for (const Stage &stage : graph.stages)
    for (const Term &term : stage.terms)
      if (isDiagonal[term.left] && term.over == *dim) {
        if (!fitsGroup(plan, term.right, *dim) ||
            llvm::any_of(graph.stages, [&](const Stage &turned) {
              return turned.isTransposition() && turned.result == term.right &&
                     !canBeTurned(turned);
            }))
          return;
        stationary.push_back(term.left);
        moving.push_back(term.right);
      }
  groupSize = groupSizeFor(graph.sizeOf(*dim), count, machine);
  for (unsigned matrix : stationary)
    isGrouped[matrix] = true;
  for (unsigned matrix : moving)
    isGrouped[matrix] = isMoving[matrix] = true;
  for (const Stage &stage : graph.stages)
    if (stage.isTransposition() && isMoving[stage.result] &&
        isTurnedAtOnce(stage))
      isGrouped[*stage.source] = true;
}

/// Whether the products of all batches add up in the banks of `stage`.
bool StackLayout::addsUp(const Stage &stage) const {
  return !stage.terms.empty() &&
         llvm::all_of(stage.terms,
                      [&](const Term &term) { return isDiagonal[term.left]; });
}

StackLayout::Side StackLayout::sideOf(const PlannedBuffer &buffer) const {
  if (!stacked)
    return Side::None;
  if (isGrouped[buffer.matrix] && !isDiagonal[buffer.matrix])
    return isMoving[buffer.matrix] ? Side::Below : Side::Beside;
  const Matrix &matrix = graph.matrices[buffer.matrix];
  // A bank holds the open sums of one product.
  if (buffer.space == Space::Psum)
    for (const Stage &stage : graph.stages)
      if (stage.result == buffer.matrix &&
          (stage.isTransposition() ? isTurnedApart[buffer.matrix]
                                   : !addsUp(stage)))
        return Side::None;
  int64_t size = graph.sizeOf(*stacked);
  if (matrix.rows == *stacked && buffer.rows == size)
    return Side::Rows;
  if (matrix.columns != *stacked)
    return Side::None;
  // Interleaved rows, of which tiles lie beside each other.
  if (buffer.columns != size)
    return buffer.space == Space::Sbuf && buffer.rows == machine.partitions
               ? Side::Beside
               : Side::None;
  return isDiagonal[buffer.matrix] && buffer.space == Space::Sbuf
             ? Side::Diagonal
             : Side::Columns;
}

For StackLayout::ownersOf(Side side, unsigned matrix) const {
  if (side == Side::None)
    return For::Each;
  bool isOfGroup =
      side == Side::Below || (side == Side::Beside && isGrouped[matrix]);
  return isOfGroup ? For::Group : For::All;
}

PlannedBuffer StackLayout::allocate(int32_t number,
                                    const PlannedBuffer &buffer) {
  PlannedBuffer whole = buffer;
  Side side = sideOf(buffer);
  sides[number] = side;
  columns[number] = buffer.columns;
  int64_t group = groupSizeOf(buffer.matrix);
  if (side == Side::Rows)
    whole.rows = count * apart;
  if (side == Side::Columns)
    whole.columns = count * apart;
  if (side == Side::Diagonal)
    whole.columns = count / group * count * apart;
  if (side == Side::Beside)
    whole.columns *= isGrouped[buffer.matrix] ? group : count;
  if (side == Side::Diagonal || side == Side::Below)
    whole.rows *= group;
  return whole;
}

bool StackLayout::isFull(const BlockView &view) const {
  Side side = sideOf(view);
  if (side == Side::Below || side == Side::Beside)
    return true; // no loop cuts it
  int64_t size = graph.sizeOf(*stacked);
  return side == Side::Rows ? view.row == LinearExpr(0) && view.rows == size
                            : view.columns == size && view.columnStep == 1;
}

/// Whether each batch has rows or columns of its own of `view`.
static bool isOfBatch(const BlockView &view) {
  auto counts = [](const LinearExpr &expr) {
    return llvm::any_of(expr.terms, [](const LinearExpr::Term &term) {
      return term.loop == batchLoop;
    });
  };
  return counts(view.row) || counts(view.column);
}

bool StackLayout::isCommon(const BlockView &view, Side side,
                           const Stage &stage) {
  if (side == Side::None || sideOf(view) == side)
    return side != Side::None && isFull(view);
  if (!view.buffer || sides.contains(*view.buffer) || isOfBatch(view))
    return false;
  // A column is for all others, a row is there for each of all batches.
  bool isRow = side == Side::Rows && graph.isRepeated(stage, view.matrix);
  if (isRow)
    rowsForAll.insert(*view.buffer);
  return isRow || (side == Side::Columns && view.columns == 1);
}

bool StackLayout::comesApart(const BlockView &from, const BlockView &to) const {
  return sideOf(to) == Side::Beside && sideOf(from) == Side::Columns &&
         isFull(from);
}

BlockView StackLayout::place(BlockView view, int64_t number, For whom) const {
  int64_t group = groupSizeOf(view.matrix);
  auto takeGroup = [&] {
    view.row += number % group * view.rows;
    if (whom != For::Each)
      view.rows *= group;
  };
  switch (sideOf(view)) {
  case Side::None:
    if (whom == For::All && rowsForAll.contains(*view.buffer))
      view.rows = count * apart;
    break;
  case Side::Rows:
    view.row += number * apart;
    if (whom == For::All)
      view.rows = count * apart;
    break;
  case Side::Columns:
    view.column += number * apart;
    if (whom == For::All)
      view.columns = count * apart;
    break;
  case Side::Diagonal: // a block of all columns for each group
    takeGroup();
    view.column += (number / group * count + number) * apart;
    if (whom == For::All)
      view.columns = count / group * count * apart;
    break;
  case Side::Below:
    takeGroup();
    break;
  case Side::Beside: {
    int64_t size = isGrouped[view.matrix] ? group : count;
    int64_t step = columnsOf(*view.buffer);
    view.column += number % size * step;
    if (whom == For::Each)
      break;
    if (view.columns == step)
      view.columns *= size;
    else
      std::tie(view.runs, view.runStep) = std::tuple(size, step);
    break;
  }
  }
  return view;
}
