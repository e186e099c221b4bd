//===- HomeEditor.cpp - Applies edits of homes ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HomeEditor.h"

#include "trn/Planning/Fillers.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;

/// What the nests that fill `filled` ahead read at the same level, and others
/// read or fill ahead, too, comes one more iteration ahead.
void HomeEditor::bringSources(const Home &filled) {
  unsigned first = firstFiller(graph, plan, filled),
           last = filled.nests.front();
  if (!isWritten(filled))
    return;
  auto fills = [&](unsigned nest) { return first <= nest && nest <= last; };
  for (Home &source : plan.homes) {
    bool isRead = llvm::any_of(source.nests, fills) &&
                  source.matrix != filled.matrix &&
                  source.level == filled.level;
    // What is added up on the way comes with its sums.
    bool isAddedUp =
        graph.mayAddUp(last) && graph.stages[last - 1].result == source.matrix;
    unsigned ahead = filled.ahead + !isAddedUp;
    if (!isRead || source.ahead >= ahead ||
        (llvm::all_of(source.nests, fills) && !source.ahead))
      continue;
    bring(source, ahead);
  }
}

/// Fills `filled`, and with it the sums of its rows, so far ahead.
void HomeEditor::bring(Home &filled, unsigned ahead) {
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

/// A nest that makes a weight wider gets those loops of its reader that will be
/// around the home. What it reads inside of all of its own is moved along.
void HomeEditor::followReader() {
  unsigned nest = home().nests.front();
  auto &own = loops(nest);
  auto all = llvm::ArrayRef(loops(home().nests.back()));
  if (!isWritten(home()) || !graph.widens(graph.stages[nest]) ||
      own.size() >= edit.depth || all.size() < edit.depth ||
      !llvm::equal(own, all.take_front(own.size())))
    return;
  for (Home &source : plan.homes)
    if (source.nests.front() == nest && source.nests.back() == nest &&
        source.level == own.size())
      source.moveTo(edit.depth);
  own.assign(all.begin(), all.begin() + edit.depth);
}

bool HomeEditor::move(bool ahead) {
  followReader();
  for (unsigned nest : home().nests)
    if (loops(nest).size() < edit.depth)
      return false;
  home().moveTo(edit.depth);
  if (edit.value)
    home().slots = edit.value;
  if (ahead)
    bring(home(), edit.ahead());
  return true;
}

/// The writer stores each block that it computes; readers load what they had in
/// the buffer that they shared.
bool HomeEditor::spill() {
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

bool HomeEditor::keep() {
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

bool HomeEditor::pack() {
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

bool HomeEditor::transpose(unsigned nest, int64_t piece) {
  const Stage &stage = graph.stages[nest];
  Home *turned = resultHome(nest);
  if (!stage.isTransposition() || !turned || turned->packed)
    return false;
  unsigned level = turned->level, source = *stage.source;
  auto isRaw = [&](const Home &home) {
    return home.matrix == source &&
           llvm::all_equal({home.nests.front(), home.nests.back(), nest});
  };
  if (llvm::any_of(plan.homes, isRaw) == (piece > 0))
    return false;
  llvm::erase_if(plan.homes, isRaw);
  loops(nest).resize(level);
  if (!piece)
    return true;
  loops(nest).push_back({graph.matrices[stage.result].rows, piece});
  plan.homes.push_back({source, {nest}, level + 1, 2});
  return true;
}

bool HomeEditor::number() {
  if (plan.isInterleaved(edit.dim))
    return false;
  plan.interleaved.push_back(edit.dim);
  // The DMA does not transpose rows that lie apart.
  for (auto [nest, turning] : llvm::enumerate(graph.stages))
    if (turning.isTransposition() && !plan.homeOf(*turning.source, nest) &&
        graph.matrices[*turning.source].rows == edit.dim)
      transpose(nest, graph.rowsOf(graph.matrices[turning.result]));
  // Rows of X come as they are.
  llvm::erase_if(plan.homes, [&](const Home &home) {
    const Stage &reader = graph.stages[home.nests.front()];
    return home.packed && reader.isTransposition() &&
           reader.source == home.matrix &&
           graph.matrices[home.matrix].columns == edit.dim;
  });
  return true;
}
