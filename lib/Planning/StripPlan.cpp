//===- StripPlan.cpp - Plans of kernels that run strip by strip -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A chain of products becomes, for strips of rows of X,
//
//   x  in pieces, transposed into xt       (not if X arrives transposed)
//   w  block by block, transposed into wt  (only if W arrives transposed)
//   y  = block by block of its weight      and so on for every product
//   o  = block by block of its weight, stored block by block
//
// Everything else is a choice of the candidate.

#include "StripPlan.h"
#include "Interleave.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
class StripPlanner {
public:
  StripPlanner(const Graph &graph, unsigned dim, const Candidate &candidate,
               bool recompute)
      : graph(graph), dim(dim), choice(candidate), recompute(recompute),
        strip(clamp(candidate.strip, dim)) {}

  Plan run();

private:
  int64_t clamp(int64_t block, unsigned of) const {
    int64_t size = graph.sizeOf(of);
    return block ? std::min(block, size) : size;
  }
  /// The dim of a product's result that is not cut into strips.
  unsigned columnsOf(const Stage &stage) const {
    return graph.matrices[stage.result].otherDim(dim);
  }
  llvm::SmallVector<unsigned, 2> users(unsigned matrix) const {
    return nestsThatUse(graph, matrix);
  }
  /// What the matrix is the transpose of, or itself.
  unsigned sourceOf(unsigned matrix) const {
    const Stage &first = graph.stages[users(matrix).front()];
    bool isTurned = first.isTransposition() && first.result == matrix;
    return isTurned ? first.source : matrix;
  }
  /// The block of columns in which an intermediate passes by; 0: none.
  int64_t passing(unsigned matrix) const;
  /// Whether the matrix stays on chip from the stage that computes it on.
  bool isKept(unsigned matrix) const {
    if (graph.matrices[matrix].role != Role::Intermediate)
      return false;
    if (passing(matrix))
      return true;
    if (llvm::any_of(graph.stages, [&](const Stage &stage) {
          return graph.isRepeated(stage, matrix);
        }))
      return false;
    unsigned source = sourceOf(matrix);
    if (source != matrix && choice.everywhere)
      return isInput(source);
    return !choice.apart || source != matrix;
  }
  bool isInput(unsigned matrix) const {
    return graph.matrices[matrix].role == Role::Input;
  }
  /// The term's operand with the rows of X, and the other one.
  unsigned rowsOf(const Stage &stage, const Term &term) const {
    return graph.matrices[stage.result].rows == dim ? term.left : term.right;
  }
  unsigned weightOf(const Stage &stage, const Term &term) const {
    return rowsOf(stage, term) == term.left ? term.right : term.left;
  }
  /// Whether the stage multiplies X.
  bool readsX(const Stage &stage) const {
    return llvm::any_of(stage.terms, [&](const Term &term) {
      return isInput(sourceOf(rowsOf(stage, term)));
    });
  }
  /// The loops of a product, how many of them are around its result if that
  /// stays on chip, and around its sums.
  struct ProductLoops {
    llvm::SmallVector<Loop, 4> loops;
    unsigned kept = 0, inner = 0;
    bool ownsColumns = true; // they are not those of what is computed again
    bool isBlocked = false, rereads = false, sumsInBanks = false,
         turnsBeside = false;
    ElementType partials = ElementType::F32;
  };
  ProductLoops loopsOf(unsigned number, const WeightChoice &own) const;
  llvm::SmallVector<Loop, 4> columnLoops(bool first) const;
  void addTransposition(unsigned number, const Stage &stage);
  void addTurnedWeight(unsigned number, const Stage &stage);
  void addProduct(unsigned number, const Stage &stage);
  void addOperands(unsigned number, const Stage &stage, const Home &result,
                   unsigned level);
  uint64_t executions(const Home &home) const;
  /// Of what comes and goes beside the weight of a product.
  int64_t slots(unsigned product) const {
    return std::min<int64_t>(2, choice.weights[product].slots);
  }
  void comesEarly(Home &home) const {
    home.early =
        choice.arrival == Arrival::Early || choice.arrival == Arrival::Beside;
    home.slots = choice.arrival == Arrival::Beside ? 2 : 1;
  }

  const Graph &graph;
  unsigned dim;
  const Candidate &choice;
  bool recompute;
  int64_t strip;
  Plan plan;
  unsigned products = 0;
};
} // namespace

int64_t StripPlanner::passing(unsigned matrix) const {
  unsigned source = sourceOf(matrix), number = users(source).front();
  if (graph.matrices[source].role != Role::Intermediate)
    return 0;
  unsigned product = llvm::count_if(
      llvm::ArrayRef(graph.stages).take_front(number),
      [](const Stage &stage) { return !stage.isTransposition(); });
  int64_t block = choice.passing[product];
  return block < graph.sizeOf(columnsOf(graph.stages[number])) ? block : 0;
}

/// The loops of strips and, where everything is computed again for each block
/// of the result's columns, of these.
llvm::SmallVector<Loop, 4> StripPlanner::columnLoops(bool first) const {
  bool isLater = choice.apart && choice.laterStrip && !first;
  llvm::SmallVector<Loop, 4> loops{
      {dim, isLater ? clamp(choice.laterStrip, dim) : strip}};
  if (recompute) {
    unsigned columns = columnsOf(graph.stages.back());
    loops.push_back({columns, clamp(choice.weights.back().columns, columns)});
  }
  return loops;
}

void StripPlanner::addTransposition(unsigned number, const Stage &stage) {
  const Stage &reader = graph.stages[users(stage.result)[1]];
  bool isX = isInput(stage.source) && readsX(reader);
  Nest nest{columnLoops(isX)};
  bool packed = isX && choice.arrival == Arrival::Packed;
  unsigned over = graph.matrices[stage.result].rows;
  int64_t depth = graph.sizeOf(over);
  if (packed)
    nest.loops.clear();
  if (int64_t block = passing(stage.result)) {
    depth = block;
    nest.loops.push_back({over, block});
  }
  if (isX && choice.reread) {
    unsigned columns = columnsOf(reader);
    nest.loops.push_back({columns, clamp(choice.weights[0].columns, columns)});
  }
  if (isX && choice.outer) {
    depth = clamp(choice.outer, over);
    nest.loops.push_back({over, depth});
  }
  Home turned{stage.result, users(stage.result), unsigned(nest.loops.size())};
  turned.packed = packed;
  if (isX && !packed)
    comesEarly(turned);
  bool byDma = isX && !choice.piece && !packed;
  if ((isX && !packed && !byDma) || !isKept(stage.result))
    nest.loops.push_back(
        {over, choice.piece ? std::min(choice.piece, depth) : depth});
  if (!isKept(stage.result))
    turned = {stage.result, {number}, unsigned(nest.loops.size()), slots(0)};
  if (!byDma && !isKept(stage.source)) {
    Home raw{stage.source, {number}, unsigned(nest.loops.size()), slots(0)};
    raw.packed = packed;
    plan.homes.push_back(raw);
  }
  plan.homes.push_back(turned);
  plan.nests.push_back(nest);
}

/// A weight is turned where the product reads it, or while it reads the block
/// before: block by block, again for each strip. What an expression reads is
/// there for the whole strip.
void StripPlanner::addTurnedWeight(unsigned number, const Stage &stage) {
  const WeightChoice &own = choice.weights[products];
  llvm::SmallVector<unsigned, 2> users = this->users(stage.result);
  const Stage &reader = graph.stages[users[1]];
  bool isFactor = reader.productOf(stage.result);
  ProductLoops product = loopsOf(users[1], own);
  bool isShared = users.size() > 2 || !isKept(stage.result);
  bool isBeside = isFactor && !isShared && product.turnsBeside;
  Nest nest{isFactor ? product.loops : columnLoops(readsX(reader))};
  if (isBeside)
    nest.loops.erase(nest.loops.begin() + product.inner - 1);
  unsigned level = nest.loops.size();
  plan.homes.push_back({stage.source, {number}, level, slots(products)});
  if (isShared) // through HBM
    plan.homes.push_back({stage.result, {number}, level, slots(products)});
  else
    plan.homes.push_back({stage.result, users, level - isBeside});
  plan.homes.back().early = isBeside;
  plan.nests.push_back(nest);
}

StripPlanner::ProductLoops
StripPlanner::loopsOf(unsigned number, const WeightChoice &own) const {
  const Stage &stage = graph.stages[number];
  bool first = readsX(stage), last = number + 1 == graph.stages.size();
  unsigned columns = columnsOf(stage);
  unsigned over = stage.terms.empty() ? 0 : stage.terms.front().over;
  bool sumsAlike =
      !stage.terms.empty() && llvm::all_of(stage.terms, [&](const Term &term) {
        return term.over == over;
      });
  Loop blocks{columns, clamp(own.columns, columns)};
  Loop outer{over, clamp(choice.outer, over)};
  ProductLoops result{columnLoops(first)};
  llvm::SmallVector<Loop, 4> &loops = result.loops;
  if (int64_t block = passing(stage.result)) {
    loops.push_back({columns, block});
    blocks.block = std::min(blocks.block, block);
  }
  result.kept = loops.size();
  result.ownsColumns = !(last && recompute);
  result.isBlocked = choice.outer && (first || choice.everywhere);
  result.rereads = choice.reread;
  result.partials = choice.partials;
  for (const Term &term : stage.terms)
    if (int64_t block = passing(rowsOf(stage, term))) {
      outer.block = block;
      result.isBlocked = true;
      result.rereads = false;
      result.partials = ElementType::F32;
    }
  if (result.isBlocked && result.rereads)
    loops.append({blocks, outer});
  else if (result.isBlocked)
    loops.append({outer, blocks});
  else if (result.ownsColumns)
    loops.push_back(blocks);
  result.sumsInBanks = !result.isBlocked && own.over && sumsAlike;
  result.turnsBeside =
      own.rowsBeside && result.sumsInBanks && result.ownsColumns;
  if (result.turnsBeside)
    loops.push_back({dim, std::min(own.rowsBeside, strip)});
  result.inner = loops.size();
  if (result.sumsInBanks)
    loops.push_back({over, clamp(own.over, over)});
  return result;
}

void StripPlanner::addProduct(unsigned number, const Stage &stage) {
  const WeightChoice &own = choice.weights[products++];
  auto [loops, kept, inner, ownsColumns, isBlocked, rereads, sumsInBanks,
        turnsBeside, partials] = loopsOf(number, own);
  Nest nest{loops};
  bool isWhole = choice.whole && !isBlocked && isKept(stage.result) &&
                 !passing(stage.result);
  Home home{stage.result, users(stage.result), isWhole ? 0 : kept};
  // Sums that are rounded and stored are added to in HBM.
  bool addsOffChip =
      isBlocked && !rereads && choice.apart && partials != ElementType::F32;
  if (!isKept(stage.result)) {
    home.nests = {number};
    if (!isBlocked || rereads || addsOffChip) {
      home.level = addsOffChip || turnsBeside ? inner : kept + ownsColumns;
      home.slots = std::min<int64_t>(2, own.slots);
    }
  }
  if (isBlocked && !addsOffChip)
    home.sums = Sums{home.level, Store::Sbuf, partials};
  if (sumsInBanks)
    home.sums = Sums{inner, Store::Psum};
  auto isNew = [&](unsigned matrix) { return !plan.homeOf(matrix, number); };
  for (const Term &term : stage.terms) {
    unsigned weight = weightOf(stage, term), other = rowsOf(stage, term);
    if (isNew(weight) && own.kept)
      plan.homes.push_back({weight, {number}});
    else if (isNew(weight))
      plan.homes.push_back(
          {weight, {number}, unsigned(nest.loops.size()), own.slots});
    if (!isNew(other) || isKept(other))
      continue;
    Home operand{other, {number}, kept};
    if (isBlocked)
      operand.level = kept + 1 + rereads;
    else if (!recompute)
      comesEarly(operand);
    plan.homes.push_back(operand);
  }
  addOperands(number, stage, home, inner);
  plan.homes.push_back(home);
  plan.nests.push_back(nest);
}

/// What the expression of a stage reads comes with each block of the result,
/// but a vector that takes little room at once.
void StripPlanner::addOperands(unsigned number, const Stage &stage,
                               const Home &result, unsigned level) {
  const int64_t little = 8192; // elements
  unsigned evicted = result.sums ? result.sums->level : level;
  for (unsigned operand : stage.expression.matrices()) {
    if (isKept(operand))
      continue;
    const Matrix &matrix = graph.matrices[operand];
    int64_t rows = graph.rowsOf(matrix), columns = graph.columnsOf(matrix);
    bool isVector = std::min(rows, columns) == 1 && rows * columns <= little;
    if (isVector && isInput(operand))
      plan.homes.push_back({operand, {number}});
    else
      plan.homes.push_back({operand, {number}, evicted, 2});
  }
}

Plan StripPlanner::run() {
  for (auto [number, stage] : llvm::enumerate(graph.stages))
    if (!stage.isTransposition())
      addProduct(number, stage);
    else if (graph.matrices[stage.result].has(dim))
      addTransposition(number, stage);
    else
      addTurnedWeight(number, stage);
  for (Home &home : plan.homes)
    if (!home.early)
      home.slots = std::min<uint64_t>(home.slots, executions(home));
  interleaveNarrow(graph, plan);
  return std::move(plan);
}

/// How often the loops around `home` run; more slots than that would be empty.
uint64_t StripPlanner::executions(const Home &home) const {
  if (home.packed)
    return home.slots;
  uint64_t count = 1;
  for (unsigned batch : graph.batches())
    count = llvm::SaturatingMultiply<uint64_t>(count, graph.sizeOf(batch));
  llvm::SmallVector<int64_t> sizes;
  for (const Dim &size : graph.dims)
    sizes.push_back(size.size);
  for (const Loop &loop : llvm::ArrayRef(plan.nests[home.nests.front()].loops)
                              .take_front(home.level)) {
    int64_t size = std::exchange(sizes[loop.dim], loop.block);
    count = llvm::SaturatingMultiply<uint64_t>(
        count, llvm::divideCeil(size, loop.block));
  }
  return count;
}

Plan planning::planStrips(const Graph &graph, unsigned dim,
                          const Candidate &candidate, bool recompute) {
  return StripPlanner(graph, dim, candidate, recompute).run();
}
