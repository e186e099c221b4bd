//===- Edits.cpp - Changes to a plan --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Search/Edits.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

namespace {
/// The nests from `first` to `last`.
struct Range {
  unsigned first, last;

  bool contains(unsigned nest) const { return first <= nest && nest <= last; }
};

/// Applies one edit.
class Editor {
public:
  Editor(const Edit &edit, Schedule &schedule)
      : edit(edit), graph(schedule.graph), plan(schedule.plan) {}

  bool run();

private:
  llvm::SmallVectorImpl<Loop> &loops(unsigned nest) {
    return plan.nests[nest].loops;
  }
  const Stage &stage() const { return graph.stages[edit.nest]; }
  Home &home() { return plan.homes[edit.home]; }
  bool isWritten(const Home &home) const {
    return graph.stages[home.nests.front()].result == home.matrix;
  }
  /// The home that the nest fills.
  Home *resultHome(unsigned nest);
  Range sharing(unsigned count) const;
  Range inserting() const;
  bool goesInside(const Home &home) const;
  void setBlock(unsigned nest, unsigned depth);
  bool changeBlock(bool everywhere);
  bool insert();
  void sumInSbuf(unsigned nest);
  void dropSums(unsigned nest);
  bool remove();
  bool swap();
  void alignPieces();
  bool sumInPsum();
  void moveFactors(unsigned from, unsigned to);
  bool move(bool ahead);
  void bring(planning::Home &filled, unsigned ahead);
  void bringSources(const planning::Home &filled);
  bool spill();
  bool keep();
  bool pack();
  bool transpose();
  bool number();

  const Edit &edit;
  const Graph &graph;
  Plan &plan;
};
} // namespace

Home *Editor::resultHome(unsigned nest) {
  return const_cast<Home *>(plan.homeOf(graph.stages[nest].result, nest));
}

/// The nests that share `count` loops with the one that is edited.
Range Editor::sharing(unsigned count) const {
  Range range{edit.nest, edit.nest};
  while (range.first > 0 && plan.sharedLoops(range.first - 1) >= count)
    --range.first;
  while (range.last + 1 < plan.nests.size() &&
         plan.sharedLoops(range.last) >= count)
    ++range.last;
  return range;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Loops inside of the one at `depth` over the same dim get no larger blocks.
void Editor::setBlock(unsigned nest, unsigned depth) {
  unsigned dim = loops(nest)[depth].dim;
  int64_t old = std::exchange(loops(nest)[depth].block, edit.value);
  // As many bytes are under way.
  if (old && depth + 1 == loops(nest).size() &&
      graph.stages[nest].sumsOver(dim))
    for (Home &home : plan.homes)
      if (home.level == depth + 1 && home.nests.front() == nest &&
          home.slots > 1)
        home.slots = std::clamp<int64_t>(home.slots * old / edit.value, 2, 8);
  for (Loop &inner :
       llvm::MutableArrayRef<Loop>(loops(nest)).drop_front(depth + 1))
    if (inner.dim == dim)
      inner.block = std::min(inner.block, edit.value);
}

bool Editor::changeBlock(bool everywhere) {
  if (edit.depth >= loops(edit.nest).size())
    return false;
  Loop old = loops(edit.nest)[edit.depth];
  if (!everywhere) {
    setBlock(edit.nest, edit.depth);
    return true;
  }
  auto hasLoop = [&](unsigned nest) {
    return llvm::is_contained(loops(nest), old);
  };
  Range range{edit.nest, edit.nest};
  while (range.first > 0 && hasLoop(range.first - 1))
    --range.first;
  while (range.last + 1 < plan.nests.size() && hasLoop(range.last + 1))
    ++range.last;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    setBlock(nest, llvm::find(loops(nest), old) - loops(nest).begin());
  return true;
}

bool Editor::goesInside(const Home &home) const {
  return home.level > edit.depth || (home.level == edit.depth &&
                                     graph.matrices[home.matrix].has(edit.dim));
}

/// A home that goes inside of a new loop takes all nests with it that it
/// serves.
Range Editor::inserting() const {
  Range range = sharing(edit.depth + 1);
  for (bool grows = true; std::exchange(grows, false);)
    for (const Home &home : plan.homes)
      if (goesInside(home) && llvm::any_of(home.nests, [&](unsigned nest) {
            return range.contains(nest);
          }))
        for (unsigned nest : home.nests)
          if (!range.contains(nest)) {
            range = {std::min(range.first, nest), std::max(range.last, nest)};
            grows = true;
          }
  return range;
}

bool Editor::insert() {
  Range range = inserting();
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (loops(nest).size() < edit.depth)
      return false;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (graph.stages[nest].sumsOver(edit.dim))
      sumInSbuf(nest);
  for (Home &home : plan.homes) {
    if (!range.contains(home.nests.front()))
      continue;
    if (home.sums && home.sums->level > edit.depth)
      ++home.sums->level;
    if (home.level > edit.depth)
      ++home.level;
    else if (goesInside(home))
      home.moveTo(home.level + 1);
  }
  for (unsigned nest = range.first; nest <= range.last; ++nest) {
    loops(nest).insert(loops(nest).begin() + edit.depth, Loop{edit.dim});
    setBlock(nest, edit.depth);
  }
  return true;
}

bool Editor::remove() {
  Range range = sharing(edit.depth + 1);
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (loops(nest).size() <= edit.depth)
      return false;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    loops(nest).erase(loops(nest).begin() + edit.depth);
  for (Home &home : plan.homes) {
    if (!range.contains(home.nests.front()))
      continue;
    if (home.sums && home.sums->level > edit.depth)
      --home.sums->level;
    if (home.level > edit.depth + 1)
      --home.level;
    else if (home.level > edit.depth)
      home.moveTo(home.level - 1);
  }
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    dropSums(nest);
  return true;
}

bool Editor::swap() {
  Range range = sharing(edit.depth + 2);
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    if (loops(nest).size() < edit.depth + 2)
      return false;
  for (unsigned nest = range.first; nest <= range.last; ++nest)
    std::swap(loops(nest)[edit.depth], loops(nest)[edit.depth + 1]);
  return true;
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// What a loop around the tiles of `nest` sums is complete when the loop has
/// ended, so it lies outside of that.
void Editor::sumInSbuf(unsigned nest) {
  Home *result = resultHome(nest);
  if (!result)
    return;
  if (result->level > edit.depth)
    result->moveTo(edit.depth);
  ElementType type = graph.stages[nest].reduction
                         ? graph.matrices[result->matrix].type
                         : ElementType::F32;
  result->sums = Sums{result->level, Store::Sbuf, type};
}

/// Sums that no loop adds to any more live for one tile.
void Editor::dropSums(unsigned nest) {
  Home *result = resultHome(nest);
  if (result && result->sums &&
      llvm::none_of(loops(nest), [&](const Loop &loop) {
        return graph.stages[nest].sumsOver(loop.dim);
      }))
    result->sums.reset();
}

/// What only the edited nest multiplies, and lies in `from` loops, lies in
/// `to`.
void Editor::moveFactors(unsigned from, unsigned to) {
  for (Home &other : plan.homes)
    if (other.level == from && stage().productOf(other.matrix) &&
        llvm::all_equal({other.nests.front(), other.nests.back(), edit.nest}))
      other.level = to;
}

/// A factor that is transposed comes in pieces that the product can follow.
void Editor::alignPieces() {
  unsigned over = stage().terms.front().over;
  for (auto [nest, other] : llvm::enumerate(graph.stages)) {
    if (!other.isTransposition() || !stage().productOf(other.result) ||
        loops(nest).empty())
      continue;
    Loop &piece = loops(nest).back();
    if (piece.dim == over && piece.block % edit.value)
      piece.block = edit.value;
  }
}

bool Editor::sumInPsum() {
  Home *result = resultHome(edit.nest);
  unsigned depth = loops(edit.nest).size();
  if (stage().terms.empty() || !result)
    return false;
  if (edit.value) {
    if (result->sums)
      return false;
    result->sums = Sums{depth, Store::Psum};
    loops(edit.nest).push_back({stage().terms.front().over, edit.value});
    moveFactors(depth, depth + 1);
    alignPieces();
    return true;
  }
  if (!depth || !(result->sums == Sums{depth - 1, Store::Psum}))
    return false;
  result->sums.reset();
  loops(edit.nest).pop_back();
  moveFactors(depth, depth - 1);
  return true;
}

//===----------------------------------------------------------------------===//
// Homes
//===----------------------------------------------------------------------===//

/// What the nest that fills `filled` ahead reads at the same level, and others
/// read or fill ahead, too, comes one more iteration ahead.
void Editor::bringSources(const Home &filled) {
  unsigned nest = filled.nests.front();
  if (graph.stages[nest].result != filled.matrix)
    return;
  for (Home &source : plan.homes) {
    bool isRead = llvm::is_contained(source.nests, nest) &&
                  source.matrix != filled.matrix &&
                  source.level == filled.level;
    // What is added up on the way comes with its sums.
    bool isAddedUp =
        graph.mayAddUp(nest) && graph.stages[nest - 1].result == source.matrix;
    unsigned ahead = filled.ahead + !isAddedUp;
    if (!isRead || source.ahead >= ahead ||
        (source.nests.size() == 1 && !source.ahead))
      continue;
    bring(source, ahead);
  }
}

/// Fills `filled`, and with it the sums of its rows, so far ahead.
void Editor::bring(Home &filled, unsigned ahead) {
  filled.ahead = ahead;
  unsigned next = filled.nests.front() + 1;
  if (isWritten(filled) && next < plan.nests.size() && graph.mayAddUp(next))
    if (Home *sums = resultHome(next);
        sums->level == filled.level && sums->ahead < ahead)
      bring(*sums, ahead);
  // One for each iteration ahead, and as many as are held at once.
  unsigned sooner = ahead;
  for (unsigned reader :
       llvm::ArrayRef(filled.nests).drop_front(isWritten(filled)))
    sooner = std::min(sooner, plan.aheadOf(graph, reader, filled.level));
  if (filled.slots > 1 || ahead > 1)
    filled.slots = std::max<int64_t>({filled.slots, ahead, ahead - sooner + 1});
  bringSources(filled);
}

bool Editor::move(bool ahead) {
  for (unsigned nest : home().nests)
    if (loops(nest).size() < edit.depth)
      return false;
  home().moveTo(edit.depth);
  if (!ahead)
    return true;
  home().slots = edit.value;
  bring(home(), edit.ahead());
  return true;
}

/// The writer stores each block that it computes; readers load what they had in
/// the buffer that they shared.
bool Editor::spill() {
  Home reader = home();
  if (reader.nests.size() < 2 || !isWritten(reader))
    return false;
  unsigned writer = reader.nests.front();
  home().nests = {writer};
  // As deep as sums are complete.
  unsigned level = home().level;
  while (level < loops(writer).size() &&
         !graph.stages[writer].sumsOver(loops(writer)[level].dim))
    ++level;
  home().moveTo(level);
  home().slots = home().level ? 2 : 1;
  reader.nests.erase(reader.nests.begin());
  reader.sums.reset();
  reader.moveTo(reader.level);
  plan.homes.push_back(reader);
  return true;
}

bool Editor::keep() {
  Home whole = home();
  whole.nests = nestsThatUse(graph, whole.matrix);
  if (whole.nests.size() < 2 || !isWritten(whole))
    return false;
  for (const Home &other : plan.homes)
    if (other.matrix == whole.matrix && other.level < whole.level)
      whole.level = other.level;
  whole.moveTo(whole.level);
  llvm::erase_if(plan.homes, [&](const Home &other) {
    return other.matrix == whole.matrix;
  });
  plan.homes.push_back(whole);
  return true;
}

bool Editor::pack() {
  Home *turned = resultHome(edit.nest);
  if (!stage().isTransposition() || !turned)
    return false;
  for (Home &home : plan.homes)
    if (home.matrix == stage().source || &home == turned) {
      home.moveTo(0);
      home.packed = true;
      home.slots = &home == turned ? 1 : 2;
    }
  loops(edit.nest).clear();
  return true;
}

bool Editor::transpose() {
  Home *turned = resultHome(edit.nest);
  if (!stage().isTransposition() || !turned || turned->packed)
    return false;
  unsigned level = turned->level, source = stage().source;
  auto isRaw = [&](const Home &home) {
    return home.matrix == source &&
           llvm::all_equal({home.nests.front(), home.nests.back(), edit.nest});
  };
  if (llvm::any_of(plan.homes, isRaw) == (edit.value > 0))
    return false;
  llvm::erase_if(plan.homes, isRaw);
  loops(edit.nest).resize(level);
  if (!edit.value)
    return true;
  loops(edit.nest).push_back({graph.matrices[stage().result].rows, edit.value});
  plan.homes.push_back({source, {edit.nest}, level + 1, 2});
  return true;
}

bool Editor::number() {
  if (plan.isInterleaved(edit.dim))
    return false;
  plan.interleaved.push_back(edit.dim);
  // Rows of X come as they are.
  llvm::erase_if(plan.homes, [&](const Home &home) {
    const Stage &reader = graph.stages[home.nests.front()];
    return home.packed && reader.isTransposition() &&
           reader.source == home.matrix &&
           graph.matrices[home.matrix].columns == edit.dim;
  });
  return true;
}

bool Editor::run() {
  switch (edit.kind) {
  case Edit::Kind::Block:
    return changeBlock(/*everywhere=*/true);
  case Edit::Kind::BlockHere:
    return changeBlock(/*everywhere=*/false);
  case Edit::Kind::Insert:
    return insert();
  case Edit::Kind::Remove:
    return remove();
  case Edit::Kind::Swap:
    return swap();
  case Edit::Kind::PsumSums:
    return sumInPsum();
  case Edit::Kind::Slots:
    home().slots = edit.value;
    return true;
  case Edit::Kind::Level:
    return move(/*ahead=*/false);
  case Edit::Kind::Prefetch:
    return move(/*ahead=*/true);
  case Edit::Kind::Spill:
    return spill();
  case Edit::Kind::Keep:
    return keep();
  case Edit::Kind::Pack:
    return pack();
  case Edit::Kind::Transposer:
    return transpose();
  case Edit::Kind::Number:
    return number();
  case Edit::Kind::Engine:
    plan.nests[edit.nest].engine = RowEngine(edit.value);
    return true;
  }
  return false;
}

bool search::apply(const Edit &edit, Schedule &schedule) {
  return edit.nest < schedule.plan.nests.size() &&
         edit.home < schedule.plan.homes.size() && Editor(edit, schedule).run();
}
