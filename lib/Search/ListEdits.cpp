//===- ListEdits.cpp - The changes that are worth a try -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LongRows.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/Neighbours.h"
#include "trn/Planning/StageNeeds.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Planning/TurnSoftmax.h"
#include "trn/Search/Edits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using Kind = Edit::Kind;

namespace {
class EditLister {
public:
  EditLister(const Schedule &schedule, const Machine &machine)
      : graph(schedule.graph), plan(schedule.plan), machine(machine) {}

  std::vector<Edit> run();

private:
  void add(Kind kind, unsigned nest, unsigned home, unsigned depth,
           unsigned dim, int64_t value) {
    edits.push_back({kind, nest, home, depth, dim, value});
  }
  void addSlots(unsigned home);
  void addLevels(unsigned home);
  void addBlocks(unsigned nest, unsigned depth);
  void addSums(unsigned nest);
  void addEngines(unsigned nest);
  void addBanks(unsigned nest);
  void addJams();
  void addLongRows();
  void addLoops(unsigned nest);
  int64_t sizeCutBy(unsigned nest, unsigned depth, unsigned dim) const;
  bool isBetween(unsigned nest, unsigned depth, unsigned dim,
                 int64_t block) const;
  bool mayMatter(unsigned nest, unsigned depth, unsigned dim) const;
  llvm::SmallVector<int64_t, 16> otherBlocks(Loop loop, int64_t size) const;

  const Graph &graph;
  const Plan &plan;
  const Machine &machine;
  std::vector<Edit> edits;
};
} // namespace

/// How much of `dim` there is for a loop at `depth`: a block of the loop around
/// it, or all.
int64_t EditLister::sizeCutBy(unsigned nest, unsigned depth,
                              unsigned dim) const {
  int64_t size = graph.sizeOf(dim);
  for (const Loop &outer :
       llvm::ArrayRef(plan.nests[nest].loops).take_front(depth))
    if (outer.dim == dim)
      size = outer.block;
  return size;
}

/// Whether loops over `dim` from `depth` on cut `block` into several.
bool EditLister::isBetween(unsigned nest, unsigned depth, unsigned dim,
                           int64_t block) const {
  return llvm::all_of(llvm::ArrayRef(plan.nests[nest].loops).drop_front(depth),
                      [&](const Loop &inner) {
                        return inner.dim != dim || inner.block < block;
                      });
}

/// Whether a loop over `dim` at `depth` of `nest` changes what is on chip, or
/// the order of other loops.
bool EditLister::mayMatter(unsigned nest, unsigned depth, unsigned dim) const {
  llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
  if (depth < loops.size() && loops[depth].dim != dim)
    return true;
  return llvm::any_of(plan.homes, [&](const Home &home) {
    return home.level == depth && llvm::is_contained(home.nests, nest) &&
           graph.matrices[home.matrix].has(dim);
  });
}

/// Blocks of `loop` to try for what is `size` long.
llvm::SmallVector<int64_t, 16> EditLister::otherBlocks(Loop loop,
                                                       int64_t size) const {
  int64_t block = loop.block, unit = unitOf(graph, loop.dim, machine);
  int64_t tile = machine.partitions, wide = machine.movingFreeMax;
  llvm::SmallVector<int64_t, 16> wanted{block - tile, block + tile,
                                        block - wide, block + wide,
                                        block / 2,    block * 2};
  // So many of one size.
  int64_t count = llvm::divideCeilSigned(size, block);
  for (int64_t even : {count - 1, count, count + 1})
    if (even > 0)
      wanted.push_back(llvm::divideCeilSigned(size, even));
  llvm::SmallVector<int64_t, 16> blocks;
  for (int64_t other : wanted) {
    int64_t tiles = llvm::alignTo(std::max<int64_t>(other, 1), unit);
    if (int64_t legal = std::min(tiles, size);
        legal != block && !llvm::is_contained(blocks, legal))
      blocks.push_back(legal);
  }
  return blocks;
}

void EditLister::addBlocks(unsigned nest, unsigned depth) {
  Loop loop = plan.nests[nest].loops[depth];
  auto isBeside = [&](unsigned other) {
    return other < plan.nests.size() &&
           llvm::is_contained(plan.nests[other].loops, loop);
  };
  int64_t most = sizeCutBy(nest, depth, loop.dim);
  bool isOutermost = most == graph.sizeOf(loop.dim);
  for (int64_t block : otherBlocks(loop, most)) {
    if (!isBetween(nest, depth + 1, loop.dim, block) ||
        (block == most && !isOutermost))
      continue;
    add(Kind::Block, nest, 0, depth, 0, block);
    if (isBeside(nest + 1) || isBeside(nest - 1))
      add(Kind::BlockHere, nest, 0, depth, 0, block);
  }
}

void EditLister::addSlots(unsigned home) {
  int64_t slots = plan.homes[home].slots;
  for (int64_t other : {slots - 1, slots + 1, slots * 2})
    if (other > 0 && (other != slots + 1 || slots > 1))
      add(Kind::Slots, 0, home, 0, 0, other);
}

void EditLister::addLevels(unsigned home) {
  const Home &own = plan.homes[home];
  // What makes weights wider follows what reads them inside of loops.
  bool follows = graph.widens(graph.stages[own.nests.front()]);
  unsigned deepest = follows ? own.nests.back() : own.nests.front();
  unsigned most = plan.nests[deepest].loops.size();
  llvm::SmallVector<unsigned, 4> levels{own.level};
  for (unsigned level : {own.level - 1, own.level + 1, 0u})
    if (level <= most && !llvm::is_contained(levels, level))
      levels.push_back(level);
  // At the kernel the next batch comes while this one is computed.
  const Matrix &matrix = graph.matrices[own.matrix];
  bool rotates = own.nests.size() == 1 &&
                 (!matrix.rowBatches.empty() || !matrix.columnBatches.empty());
  for (unsigned level : levels) {
    if (level != own.level || own.ahead)
      add(Kind::Level, 0, home, level, 0, !level && rotates ? 2 : 0);
    for (int64_t slots : {1, 2, 3})
      if (level && !(level == own.level && own.ahead && own.slots == slots))
        add(Kind::Prefetch, 0, home, level, 0, slots);
  }
  if (graph.stages[own.nests.front()].result != own.matrix)
    return;
  if (own.nests.size() > 1)
    add(Kind::Spill, 0, home, 0, 0, 0);
  else if (nestsThatUse(graph, own.matrix).size() > 1)
    add(Kind::Keep, 0, home, 0, 0, 0);
}

void EditLister::addSums(unsigned nest) {
  const Stage &stage = graph.stages[nest];
  if (stage.terms.empty())
    return;
  const Home &home = *plan.homeOf(stage.result, nest);
  unsigned over = stage.terms.front().over;
  int64_t tile = machine.partitions;
  if (home.sumsInPsum())
    add(Kind::PsumSums, nest, 0, 0, 0, 0);
  if (!home.sums)
    for (int64_t tiles : {4, 2, 1, 8})
      add(Kind::PsumSums, nest, 0, 0, 0,
          std::min(tiles * tile, graph.sizeOf(over)));
}

/// Of kernels that reduce rows, and of attention that has sums of products
/// instead: in others VectorE and ScalarE have little to do but copies out of
/// PSUM, which they share as it is.
void EditLister::addEngines(unsigned nest) {
  auto isReduced = [](const Stage &stage) {
    return stage.reduction.has_value();
  };
  if ((llvm::none_of(graph.stages, isReduced) && !isTurned(graph)) ||
      !hasChoice(graph, graph.stages[nest], machine))
    return;
  for (RowEngine engine :
       {RowEngine::Any, RowEngine::Vector, RowEngine::Scalar})
    if (engine != plan.nests[nest].engine)
      add(Kind::Engine, nest, 0, 0, 0, int64_t(engine));
}

/// Of kernels that reduce products, and of attention without maxima: in others
/// the tensor engine or the DMA has most to do.
void EditLister::addBanks(unsigned nest) {
  auto reducesProduct = [](const Stage &stage) {
    return stage.reduction && !stage.terms.empty();
  };
  if (llvm::none_of(graph.stages, reducesProduct) && !isTurned(graph))
    return;
  const Stage &stage = graph.stages[nest];
  bool mayBeWide = mostBanksOf(graph, stage, machine) > 1 &&
                   graph.sizeOf(graph.columnsIn(stage)) > machine.movingFreeMax;
  for (int64_t banks : {1, 2})
    if (banks != plan.nests[nest].banks && (banks == 1 || mayBeWide))
      add(Kind::Banks, nest, 0, 0, 0, banks);
}

/// Whether `jam` batches are a part of the innermost dim or, if that has few,
/// all of it for some indices of the dim around it, which must be staggered.
static bool mayJam(const Graph &graph, int64_t jam, bool areStaggered) {
  llvm::SmallVector<unsigned, 2> batches = graph.batches();
  int64_t size = graph.sizeOf(batches.pop_back_val());
  if (jam <= size)
    return size % jam == 0;
  return areStaggered && jam <= 8 && !batches.empty() && jam % size == 0 &&
         graph.sizeOf(batches.back()) % (jam / size) == 0;
}

void EditLister::addJams() {
  if (graph.batches().empty())
    return;
  for (int64_t jam = 1; jam <= 8; ++jam) {
    int64_t size = plan.stacked ? stackSize(jam, machine) : 1;
    if (!size)
      continue;
    // Two stacks are few: each part is worth a try.
    for (int64_t staggered : {0, 2, 3, 4})
      if ((!staggered || jam >= (plan.stacked ? 2 * size : staggered)) &&
          mayJam(graph, jam, staggered && !plan.stacked) &&
          std::pair(jam, staggered) != std::pair(plan.jam, plan.staggered))
        add(Kind::Jam, 0, 0, staggered, 0, jam);
  }
  // Rows that leave most partitions idle.
  unsigned strip = stripOf(graph);
  if (plan.stacked || graph.sizeOf(strip) <= stackPitch(machine))
    add(Kind::Stack, 0, 0, 0, plan.stacked.value_or(strip), 0);
}

void EditLister::addLongRows() {
  for (unsigned dim : dimsOfShortRows(graph, plan, machine))
    add(Kind::Number, 0, 0, 0, dim, 0);
  for (unsigned home = 0; home < plan.homes.size(); ++home)
    if (plan.homes[home].level == 0 &&
        mayBeWhole(graph, plan.homes[home], machine))
      add(Kind::Whole, 0, home, 0, 0, 0);
  llvm::SmallVector<int64_t, 16> neighbours =
      findNeighbours(graph, plan, machine);
  for (unsigned home = 0; home < plan.homes.size(); ++home)
    if (plan.homes[home].apart || neighbours[home] > 1)
      add(Kind::Apart, 0, home, 0, 0, 0);
}

void EditLister::addLoops(unsigned nest) {
  const Stage &stage = graph.stages[nest];
  llvm::ArrayRef<Loop> loops = plan.nests[nest].loops;
  int64_t tile = machine.partitions;
  for (unsigned depth = 0; depth < loops.size(); ++depth)
    add(Kind::Remove, nest, 0, depth, 0, 0);
  for (unsigned depth = 0; depth + 1 < loops.size(); ++depth)
    if (loops[depth].dim != loops[depth + 1].dim)
      add(Kind::Swap, nest, 0, depth, 0, 0);
  if (machine.dmaTranspose && stage.isTransposition())
    for (int64_t piece :
         {int64_t(0),
          std::min(4 * tile, graph.sizeOf(graph.matrices[stage.result].rows))})
      add(Kind::Transposer, nest, 0, 0, 0, piece);
  if (stage.isTransposition() || loops.size() + 1 >= Nest::maxLoops)
    return;
  for (unsigned dim : graph.dimsOf(stage)) {
    if ((stage.sumsOver(dim) && dim != stage.contraction()) ||
        graph.sizeOf(dim) == 1)
      continue;
    for (unsigned depth = 0; depth <= loops.size(); ++depth) {
      if (!mayMatter(nest, depth, dim))
        continue;
      int64_t size = sizeCutBy(nest, depth, dim);
      llvm::SmallVector<int64_t, 4> blocks;
      for (int64_t wanted : {size / 2, 4 * tile})
        if (int64_t block = llvm::alignTo(wanted, unitOf(graph, dim, machine));
            block && block < size && !llvm::is_contained(blocks, block) &&
            isBetween(nest, depth, dim, block))
          blocks.push_back(block);
      for (int64_t block : blocks)
        add(Kind::Insert, nest, 0, depth, dim, block);
    }
  }
}

std::vector<Edit> EditLister::run() {
  for (auto [home, own] : llvm::enumerate(plan.homes))
    if (graph.matrices[own.matrix].role != Role::Constant) {
      addSlots(home);
      addLevels(home);
    }
  for (unsigned nest = 0; nest < plan.nests.size(); ++nest) {
    addSums(nest);
    addEngines(nest);
    addBanks(nest);
    for (unsigned depth = 0; depth < plan.nests[nest].loops.size(); ++depth)
      addBlocks(nest, depth);
    addLoops(nest);
  }
  addJams();
  addLongRows();
  return std::move(edits);
}

std::vector<Edit> search::editsOf(const Schedule &schedule,
                                  const Machine &machine) {
  return EditLister(schedule, machine).run();
}
