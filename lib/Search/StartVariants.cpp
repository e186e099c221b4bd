//===- StartVariants.cpp - Canonical plans and what differs ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StartVariants.h"

#include "CanonicalPlan.h"
#include "LongRows.h"
#include "RowVariants.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/Interleave.h"
#include "trn/Planning/Legalize.h"
#include "trn/Planning/LiveBand.h"
#include "trn/Planning/StageNeeds.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Planning/TurnSoftmax.h"
#include "trn/Search/Edits.h"
#include "trn/Search/SmallestPlans.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;
using namespace mlir::trn::search;
using Kind = Edit::Kind;

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

/// Whether a loop over blocks of one dim is for all that `stage` adds up.
static bool sumsAlike(const Stage &stage) {
  return stage.accumulates() &&
         llvm::all_of(stage.terms, [&](const Term &term) {
           return term.over == stage.terms.front().over;
         });
}

/// How many banks the sums take for all tiles inside of the loops of `nest`.
static uint64_t countBanks(const Schedule &schedule, unsigned nest,
                           const Machine &machine) {
  const Graph &graph = schedule.graph;
  const Stage &stage = graph.stages[nest];
  const Matrix &result = graph.matrices[stage.result];
  auto sizeOf = [&](unsigned dim) {
    int64_t size = graph.sizeOf(dim);
    for (const Loop &loop : schedule.plan.nests[nest].loops)
      if (loop.dim == dim)
        size = loop.block;
    return size;
  };
  return sumBanksOf(graph, stage, sizeOf(result.rows), sizeOf(result.columns),
                    machine);
}

/// How weights come to a product: for blocks of so many columns, with so many
/// tiles of the contraction at a time. Sums stay in PSUM where they fit, in
/// SBUF otherwise.
struct WeightStyle {
  int64_t columns, tiles, slots;
};
/// As many columns as leave one bank to what is transposed, or as all banks
/// have, where sums of several tiles share one.
static constexpr int64_t fillingPsum = 0;

static void bringWeights(Schedule &schedule, unsigned nest,
                         const WeightStyle &style, const DemandChecker &demands,
                         const Machine &machine) {
  const auto &[graph, plan] = schedule;
  const Stage &stage = graph.stages[nest];
  if (!sumsAlike(stage) || stage.reduction)
    return;
  unsigned over = stage.contraction();
  bool isForced =
      llvm::none_of(graph.stages, [&, &graph = graph](const Stage &other) {
        return !other.isTransposition() &&
               graph.matrices[other.result].has(over);
      });
  int64_t block = isForced ? demands.forced(graph.wholeOf(over)) : 0;
  unsigned depth = plan.nests[nest].loops.size();
  Loop &columns = schedule.plan.nests[nest].loops.back();
  int64_t size = graph.sizeOf(columns.dim), width = machine.movingFreeMax;
  const int64_t most = std::min(size, machine.psumBanks * width);
  if (!demands.forced(graph.wholeOf(columns.dim))) {
    columns.block = std::min(style.columns ? style.columns : width, size);
    while (!style.columns && columns.block < most) {
      int64_t less =
          std::exchange(columns.block, std::min(columns.block + width, most));
      if (countBanks(schedule, nest, machine) < uint64_t(machine.psumBanks))
        continue;
      columns.block = less;
      break;
    }
  }
  if (!block)
    block = std::min(style.tiles * machine.partitions, graph.sizeOf(over));
  if (countBanks(schedule, nest, machine) <= uint64_t(machine.psumBanks))
    apply({Kind::PsumSums, nest, 0, 0, 0, block}, schedule);
  else
    apply({Kind::Insert, nest, 0, depth, over, block}, schedule);
  for (Home &home : schedule.plan.homes)
    if (home.level == depth + 1 && home.nests.front() == nest)
      home.slots = style.slots;
}

/// Weights become wider inside of all loops of the products that read them: few
/// rows of many columns at a time. None unless some are stationary, as others
/// gain little.
static std::optional<Schedule> widenInside(const Schedule &schedule) {
  const auto &[graph, plan] = schedule;
  Schedule inside = schedule;
  bool isAny = false;
  for (auto [number, home] : llvm::enumerate(plan.homes)) {
    const Term *product =
        graph.stages[home.nests.back()].productOf(home.matrix);
    if (!graph.widens(graph.stages[home.nests.front()]) || !product)
      continue;
    unsigned depth = plan.nests[home.nests.back()].loops.size();
    isAny |= product->left == home.matrix;
    apply({Kind::Prefetch, 0, unsigned(number), depth, 0, 2}, inside);
  }
  return isAny ? std::optional(inside) : std::nullopt;
}

/// All weights stay on chip; those of the next batch come while this one is
/// computed.
static Schedule keepWeights(Schedule schedule) {
  unsigned strip = stripOf(schedule.graph);
  for (auto [number, home] : llvm::enumerate(schedule.plan.homes)) {
    const Stage &reader = schedule.graph.stages[home.nests.front()];
    const Matrix &matrix = schedule.graph.matrices[home.matrix];
    int64_t slots = matrix.rowBatches.empty() ? 1 : 2;
    bool isTurned =
        reader.isTransposition() && !matrix.has(strip) && slots == 2;
    if (matrix.role == Role::Input &&
        (reader.productOf(home.matrix) || isTurned) && !home.ahead)
      apply({Kind::Level, 0, unsigned(number), 0, 0, slots}, schedule);
  }
  return schedule;
}

/// The DMA transposes X, or what has `strip`.
static bool transposeByDma(Schedule &schedule,
                           std::optional<unsigned> strip = std::nullopt) {
  bool isAny = false;
  for (auto [nest, stage] : llvm::enumerate(schedule.graph.stages))
    if (stage.isTransposition() &&
        schedule.graph.matrices[*stage.source].role == Role::Input &&
        (!strip || schedule.graph.matrices[*stage.source].has(*strip)))
      isAny |= apply({Kind::Transposer, unsigned(nest)}, schedule);
  return isAny;
}

static bool isKeptProduct(const Schedule &schedule, const Home &home) {
  const Stage &writer = schedule.graph.stages[home.nests.front()];
  return home.nests.size() > 1 && writer.result == home.matrix &&
         !writer.isTransposition() && !writer.reduction;
}

/// All intermediates go through HBM.
static Schedule spill(Schedule schedule) {
  for (unsigned home = 0; home < schedule.plan.homes.size(); ++home)
    if (isKeptProduct(schedule, schedule.plan.homes[home]))
      apply({Kind::Spill, 0, home}, schedule);
  return schedule;
}

/// Transposes do, too, and everything comes tile by tile.
static Schedule spillAll(Schedule schedule) {
  for (unsigned home = 0; home < schedule.plan.homes.size(); ++home)
    apply({Kind::Spill, 0, home}, schedule);
  for (Home &home : schedule.plan.homes) {
    unsigned nest = home.nests.front();
    const Stage &stage = schedule.graph.stages[nest];
    bool isConstant =
        schedule.graph.matrices[home.matrix].role == Role::Constant;
    if (home.nests.size() == 1 && !isConstant &&
        (stage.productOf(home.matrix) || stage.isTransposition()))
      home.level = schedule.plan.nests[nest].loops.size();
    home.slots = 1;
  }
  return schedule;
}

std::optional<Schedule> search::blockContraction(Schedule schedule,
                                                 unsigned nest, int64_t block,
                                                 const DemandChecker &demands) {
  const Stage &stage = schedule.graph.stages[nest];
  if (!sumsAlike(stage))
    return std::nullopt;
  unsigned over = stage.contraction();
  if (int64_t forced = demands.forced(schedule.graph.wholeOf(over)))
    block = forced;
  if (schedule.plan.homeOf(stage.result, nest)->sums && stage.reduction)
    return std::nullopt;
  apply({Kind::PsumSums, nest}, schedule);
  unsigned depth = demands.recomputes() ? 2 : 1;
  if (block >= schedule.graph.sizeOf(over) ||
      !apply({Kind::Insert, nest, 0, depth, over, block}, schedule))
    return std::nullopt;
  return schedule;
}

/// Intermediates that the product of `nest` reads pass by in blocks.
static std::optional<Schedule> passIntermediates(const Schedule &schedule,
                                                 unsigned nest,
                                                 const DemandChecker &demands,
                                                 const Machine &machine) {
  const Stage &stage = schedule.graph.stages[nest];
  bool readsAny = llvm::any_of(schedule.plan.homes, [&](const Home &home) {
    return stage.productOf(home.matrix) && isKeptProduct(schedule, home);
  });
  return readsAny
             ? blockContraction(schedule, nest, 4 * machine.partitions, demands)
             : std::nullopt;
}

/// Few rows: each row of X is cut into pieces that lie on all partitions; and
/// such a contraction may be numbered by partitions.
static std::vector<Schedule> packRows(Schedule schedule, unsigned strip) {
  const Graph &graph = schedule.graph;
  bool isPacked = false;
  for (auto [nest, stage] : llvm::enumerate(graph.stages))
    if (stage.isTransposition() && graph.matrices[stage.result].has(strip) &&
        graph.matrices[*stage.source].role == Role::Input)
      isPacked |= apply({Kind::Pack, unsigned(nest)}, schedule);
  if (!isPacked)
    return {};
  std::vector<Schedule> packed{schedule};
  for (unsigned dim = 0; dim < graph.dims.size(); ++dim)
    if (hasNarrowWeight(graph, dim)) {
      packed.push_back(schedule);
      apply({Kind::Number, 0, 0, 0, dim}, packed.back());
    }
  return packed;
}

//===----------------------------------------------------------------------===//
// All together
//===----------------------------------------------------------------------===//

/// Sets of nests, as bits, whose weights come in tiles: all, none, and what
/// `keep` may ask for.
static std::vector<unsigned> sampleSets(const Graph &graph,
                                        const DemandChecker &demands) {
  std::vector<unsigned> sets{~0u, 0};
  unsigned most = std::min<size_t>(graph.stages.size(), 6);
  if (demands.keepsAny())
    for (unsigned set = 1; set + 1 < 1u << most; ++set)
      sets.push_back(set);
  return sets;
}

/// `base` with weights in each way.
static std::vector<Schedule> withWeights(const Schedule &base,
                                         const DemandChecker &demands,
                                         const Machine &machine) {
  std::vector<Schedule> styles;
  unsigned nests = base.graph.stages.size();
  int64_t width = machine.movingFreeMax;
  for (unsigned set : sampleSets(base.graph, demands)) {
    styles.push_back(base);
    for (unsigned nest = 0; nest < nests; ++nest)
      if (set >> (nest % 32) & 1)
        bringWeights(styles.back(), nest, {width, 4, 4}, demands, machine);
  }
  styles.push_back(keepWeights(styles.front()));
  // Wide rows of the weights pass by, and fill PSUM with sums.
  styles.push_back(base);
  for (unsigned nest = 0; nest < nests; ++nest)
    bringWeights(styles.back(), nest, {fillingPsum, 1, 4}, demands, machine);
  if (auto inside = widenInside(styles.front()))
    styles.push_back(std::move(*inside));
  return styles;
}

/// Attention that is turned: few of each strip, since it takes all kinds of
/// strips to find a good one, and one head at a time.
static std::vector<Schedule> variantsOfAttention(const Schedule &canonical,
                                                 const DemandChecker &demands,
                                                 const Machine &machine) {
  std::vector<Schedule> bases;
  for (RowEngine engine : {RowEngine::Any, RowEngine::Vector})
    if (auto piped = pipeline(canonical, engine, machine))
      bases.push_back(std::move(*piped));
  bases.push_back(canonical);
  if (auto skewed = skew(canonical))
    bases.push_back(std::move(*skewed));
  unsigned strip = stripOf(canonical.graph);
  for (size_t base = bases.size(); machine.dmaTranspose && base-- > 0;)
    if (Schedule byDma = bases[base]; transposeByDma(byDma, strip))
      bases.push_back(std::move(byDma));
  if (canonical.graph.sizeOf(strip) <= stackPitch(machine))
    jamBatches(bases, /*isNarrow=*/false, machine);
  for (Schedule &base : bases)
    if (auto longer = withLongRows(base, machine);
        longer && demands.allowsOther(*longer))
      base = std::move(*longer);
  std::vector<Schedule> variants = bases;
  for (Schedule &base : bases) {
    variants.push_back(keepWeights(base));
    for (unsigned nest = 0; nest < base.graph.stages.size(); ++nest)
      bringWeights(base, nest, {machine.movingFreeMax, 4, 4}, demands, machine);
    variants.push_back(std::move(base));
  }
  return variants;
}

std::vector<Schedule> search::variantsOf(const Graph &graph, unsigned strip,
                                         int64_t rows,
                                         const DemandChecker &demands,
                                         const Machine &machine) {
  PlanSizes sizes{rows, machine.movingFreeMax, 4 * machine.partitions, 2};
  std::vector<Schedule> bases{
      canonicalPlan(graph, strip, sizes, demands, machine)};
  if (isTurned(graph))
    return variantsOfAttention(bases.front(), demands, machine);
  bases.push_back(bases.front());
  for (Home &home : bases.back().plan.homes)
    if (home.ahead)
      home.moveTo(home.level);
  // Rows come in pieces.
  sizes.elements = 4 * machine.movingFreeMax;
  if (Schedule cut = canonicalPlan(graph, strip, sizes, demands, machine);
      !(cut == bases.front()))
    bases.push_back(std::move(cut));
  if (Schedule byDma = bases.front();
      machine.dmaTranspose && transposeByDma(byDma))
    bases.push_back(byDma);
  bool isNarrow = graph.sizeOf(strip) <= machine.partitions;
  if (isNarrow && !demands.recomputes())
    llvm::append_range(bases, packRows(bases.front(), strip));
  bool hasRows = llvm::any_of(
      graph.stages, [](const Stage &stage) { return stage.reduction; });
  if (auto skewed = hasRows ? skew(bases.front()) : std::nullopt)
    bases.push_back(*skewed);
  if (auto tiled = hasRows ? tileRows(bases.front(), machine) : std::nullopt)
    bases.push_back(*tiled);
  if (hasRows)
    jamBatches(bases, isNarrow, machine);
  for (size_t base = 0, end = bases.size(); base < end; ++base)
    if (auto longer = withLongRows(bases[base], machine))
      bases.push_back(std::move(*longer));
  std::vector<Schedule> variants;
  for (const Schedule &base : bases)
    for (Schedule &style : withWeights(base, demands, machine)) {
      variants.push_back(style);
      if (demands.maySpill())
        variants.push_back(spill(style));
      if (!demands.recomputes())
        for (unsigned nest = 0; nest < graph.stages.size(); ++nest)
          if (std::optional<Schedule> passing =
                  passIntermediates(style, nest, demands, machine))
            variants.push_back(*passing);
    }
  return variants;
}

std::vector<Schedule> search::smallestPlans(const Graph &source,
                                            const DemandChecker &demands,
                                            const Machine &machine) {
  std::vector<Schedule> plans;
  int64_t tile = machine.partitions;
  PlanSizes sizes{tile, tile, tile, 1, tile};
  for (const Graph &graph : demands.forms()) {
    Schedule canonical =
        canonicalPlan(graph, stripOf(source), sizes, demands, machine);
    for (unsigned set : sampleSets(graph, demands)) {
      Schedule style = canonical;
      for (unsigned nest = 0; nest < graph.stages.size(); ++nest)
        if (set >> (nest % 32) & 1)
          bringWeights(style, nest, {tile, 1, 1}, demands, machine);
      std::vector<Schedule> all{style};
      if (demands.maySpill())
        all.push_back(spillAll(style));
      // Sums in SBUF are there for blocks that are too large for PSUM.
      for (unsigned nest = 0; nest < graph.stages.size(); ++nest)
        for (const Schedule &other : std::vector<Schedule>(all))
          if (auto blocked = blockContraction(other, nest, tile, demands))
            all.push_back(*blocked);
      for (Schedule &other : all)
        if (demands.moveHomes(other))
          plans.push_back(std::move(other));
    }
  }
  return plans;
}
