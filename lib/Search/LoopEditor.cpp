//===- LoopEditor.cpp - Applies edits of loops ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopEditor.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

/// The nests that share `count` loops with the one that is edited.
Range LoopEditor::sharing(unsigned count) const {
  Range range{edit.nest, edit.nest};
  while (range.first > 0 && plan.sharedLoops(range.first - 1) >= count)
    --range.first;
  while (range.last + 1 < plan.nests.size() &&
         plan.sharedLoops(range.last) >= count)
    ++range.last;
  return range;
}

/// Loops inside of the one at `depth` over the same dim get no larger blocks.
void LoopEditor::setBlock(unsigned nest, unsigned depth) {
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

bool LoopEditor::changeBlock(bool everywhere) {
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

bool LoopEditor::goesInside(const Home &home) const {
  return home.level > edit.depth || (home.level == edit.depth &&
                                     graph.matrices[home.matrix].has(edit.dim));
}

/// A home that goes inside of a new loop takes all nests with it that it
/// serves.
Range LoopEditor::inserting() const {
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

bool LoopEditor::insert() {
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

bool LoopEditor::remove() {
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

bool LoopEditor::swap() {
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
void LoopEditor::sumInSbuf(unsigned nest) {
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
void LoopEditor::dropSums(unsigned nest) {
  Home *result = resultHome(nest);
  if (result && result->sums &&
      llvm::none_of(loops(nest), [&](const Loop &loop) {
        return graph.stages[nest].sumsOver(loop.dim);
      }))
    result->sums.reset();
}

/// What only the edited nest multiplies, and lies in `from` loops, lies in
/// `to`.
void LoopEditor::moveFactors(unsigned from, unsigned to) {
  for (Home &other : plan.homes)
    if (other.level == from && stage().productOf(other.matrix) &&
        llvm::all_equal({other.nests.front(), other.nests.back(), edit.nest}))
      other.level = to;
}

/// A factor that is transposed comes in pieces that the product can follow.
void LoopEditor::alignPieces() {
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

bool LoopEditor::sumInPsum() {
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
