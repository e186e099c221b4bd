//===- PlanSpace.cpp - The plans that may serve a graph -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/PlanSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

int64_t Constraints::blockOf(llvm::StringRef dim) const {
  for (const auto &[name, size] : blocks)
    if (name == dim)
      return size;
  return 0;
}

PlanSpace::PlanSpace(const Graph &source, const Constraints &constraints,
                     const Machine &machine)
    : source(source), constraints(constraints), machine(machine) {
  over = source.stages.front().terms.front().over;
  strip = stripOf(source);
  for (const Stage &stage : source.stages)
    columns.push_back(source.matrices[stage.result].otherDim(strip));
}

int64_t PlanSpace::forced(unsigned dim) const {
  bool isNaive = constraints.recompute && source.stages.size() > 1 &&
                 (dim == strip || dim == columns.back());
  int64_t block = constraints.blockOf(source.dims[dim].name);
  return block || !isNaive ? block : machine.movingFreeMax;
}

//===----------------------------------------------------------------------===//
// Points
//===----------------------------------------------------------------------===//

std::vector<int64_t> PlanSpace::strips() const {
  int64_t size = source.sizeOf(strip), tile = machine.partitions;
  if (int64_t block = forced(strip))
    return {std::min(block, size)};
  std::vector<int64_t> sizes;
  for (int64_t tiles : {4, 8, 6, 5, 3, 2, 7, 12, 16, 1})
    if (int64_t rows = std::min(tiles * tile, size);
        !llvm::is_contained(sizes, rows))
      sizes.push_back(rows);
  // Strips of one size.
  for (int64_t count : {2, 3})
    if (int64_t rows = llvm::alignTo(llvm::divideCeil(size, count), tile);
        rows < size && rows <= 16 * tile && !llvm::is_contained(sizes, rows))
      sizes.push_back(rows);
  return sizes;
}

std::vector<WeightChoice> PlanSpace::weightChoices(unsigned product) const {
  int64_t tile = machine.partitions, width = machine.movingFreeMax;
  const Stage &stage = source.stages[product];
  int64_t banks = machine.psumBanks / std::max(1u, stage.numSums());
  // In the order of WeightStyle, and then others.
  std::vector<WeightChoice> choices = {{width, tile, 8},
                                       {(banks - 1) * width, tile, 4},
                                       {width, 0, 2},
                                       {width, 4 * tile, 2, true},
                                       {banks * width, tile, 4},
                                       {width, 2 * tile, 4},
                                       {2 * width, 0, 2},
                                       {4 * width, tile, 8},
                                       {4 * width, 2 * tile, 4},
                                       {2 * width, tile, 8},
                                       {width / 2, 0, 2},
                                       {4 * width, 0, 2},
                                       {width, 4 * tile, 4},
                                       {width, 4 * tile, 8},
                                       {4 * width, 0, 2, true},
                                       {3 * width / 2, tile, 8},
                                       {3 * width / 2, 2 * tile, 4},
                                       {3 * width, 2 * tile, 4},
                                       {5 * width / 4, 4 * tile, 2, true}};
  // Blocks that leave no small rest.
  int64_t size = source.sizeOf(columns[product]), count = size / width;
  if (count && size % width && size % width < width / 2)
    for (int64_t blocks : {count, count + 1}) {
      int64_t even = llvm::alignTo(llvm::divideCeil(size, blocks), tile);
      choices.push_back({even, 2 * tile, 4});
      choices.push_back({even, 0, 2});
    }
  int64_t block = forced(columns[product]);
  int64_t depth = stage.sumsOver(over) ? forced(over) : 0;
  std::vector<WeightChoice> fitting;
  for (WeightChoice choice : choices) {
    if (depth)
      choice.over = depth < source.sizeOf(over) ? depth : 0;
    choice.columns =
        block ? block
              : std::max<int64_t>(tile, llvm::alignDown(choice.columns, tile));
    if (!llvm::is_contained(fitting, choice))
      fitting.push_back(choice);
  }
  return fitting;
}

Candidate PlanSpace::startWith(TransposeMode transpose, int64_t tiles,
                               Arrival arrival, unsigned weights) const {
  Candidate candidate;
  candidate.transpose = constraints.transpose.value_or(transpose);
  candidate.strip = strips().size() == 1 ? strips().front()
                                         : std::min(tiles * machine.partitions,
                                                    source.sizeOf(strip));
  candidate.arrival = constraints.recompute ? Arrival::InTime : arrival;
  candidate.piece = 4 * machine.partitions;
  for (unsigned product = 0; product < source.stages.size(); ++product) {
    std::vector<WeightChoice> choices = weightChoices(product);
    candidate.weights.push_back(
        choices[std::min<size_t>(weights, choices.size() - 1)]);
  }
  return candidate;
}

/// Several intermediates leave little room: weights come in whole columns, a
/// few at a time, or in tiles where columns are long.
Candidate PlanSpace::startWithManyIntermediates() const {
  int64_t tile = machine.partitions, width = machine.movingFreeMax;
  Candidate start =
      startWith(TransposeMode::Implicit, 4, Arrival::Early, tilesPassBy);
  for (auto [product, stage] : llvm::enumerate(source.stages)) {
    WeightChoice &weight = start.weights[product];
    bool readsX = stage.sumsOver(over);
    bool isLong = llvm::any_of(stage.terms, [&](const Term &term) {
      return source.sizeOf(term.over) > 8 * width;
    });
    int64_t columns = weight.columns;
    if (readsX)
      weight = {columns, 2 * tile, 4};
    else if (!isLong)
      weight = {std::min(columns, 2 * tile), 0, 2};
  }
  return start;
}

std::vector<Candidate> PlanSpace::starts() const {
  // Few rows: whole rows of the weights pass by, and fill PSUM with sums.
  if (source.sizeOf(strip) <= machine.partitions)
    return {
        startWith(TransposeMode::Explicit, 1, Arrival::Beside, wideRows),
        startWith(TransposeMode::Implicit, 1, Arrival::Packed, wholeBlocks)};
  auto implicit = [&](int64_t tiles, Arrival arrival, WeightStyle weights) {
    return startWith(TransposeMode::Implicit, tiles, arrival, weights);
  };
  std::vector<Candidate> starts{implicit(4, Arrival::Beside, tilesPassBy)};
  if (source.stages.size() > 3 && constraints.blocks.empty())
    if (Candidate many = startWithManyIntermediates(); build(many))
      starts.insert(starts.begin(), many);
  // Room for the next strip of X^T, as little else is on chip.
  if (maySpill()) {
    starts.push_back(starts.front());
    starts.back().apart = true;
    for (WeightChoice &weight : starts.back().weights)
      weight.slots = 4;
  }
  // The DMA transposes whole strips.
  if (machine.dmaTranspose) {
    starts.push_back(implicit(1, Arrival::Beside, kept));
    starts.back().piece = 0;
  }
  starts.push_back(implicit(4, Arrival::Early, kept));
  starts.push_back(implicit(4, Arrival::Early, wholeBlocks));
  starts.push_back(implicit(8, Arrival::InTime, tilesPassBy));
  starts.push_back(implicit(1, Arrival::Beside, kept));
  starts.push_back(
      startWith(TransposeMode::Explicit, 4, Arrival::Beside, tilesPassBy));
  return starts;
}

/// Ways to have only a part of X^T at a time, each tighter than those before.
std::vector<Candidate>
PlanSpace::blockedContractions(ElementType partials) const {
  std::vector<Candidate> candidates;
  int64_t tile = machine.partitions, depth = source.sizeOf(over);
  int64_t block = forced(over);
  bool isChain = source.stages.size() > 1;
  for (bool reread : {false, true})
    for (int64_t parts :
         {int64_t(2), int64_t(4), llvm::divideCeilSigned(depth, 8 * tile),
          depth / (4 * tile) + 1, depth})
      for (auto [apart, laterStrip, everywhere] :
           {std::tuple{false, int64_t(0), false},
            {true, int64_t(0), false},
            {true, 4 * tile, false},
            {true, int64_t(0), true}}) {
        if ((reread && isChain && !apart) || (everywhere && !reread) ||
            (apart && (!isChain || constraints.keepIntermediates)))
          continue;
        Candidate candidate;
        candidate.transpose =
            constraints.transpose.value_or(TransposeMode::Implicit);
        candidate.outer = std::min<int64_t>(
            depth, llvm::alignTo(llvm::divideCeil(depth, parts), tile));
        if (block)
          candidate.outer = std::min(block, depth);
        candidate.partials = partials;
        candidate.reread = reread;
        candidate.apart = apart;
        candidate.laterStrip = laterStrip;
        candidate.everywhere = everywhere;
        candidates.push_back(candidate);
      }
  return candidates;
}

bool PlanSpace::roundsOften(const Candidate &candidate) const {
  return candidate.outer && candidate.partials != ElementType::F32 &&
         llvm::divideCeil(source.sizeOf(over), candidate.outer) > 16;
}

std::vector<Candidate>
PlanSpace::withBlockedContraction(Candidate candidate) const {
  std::vector<Candidate> result;
  candidate.arrival = Arrival::InTime;
  for (const Candidate &blocked : blockedContractions(ElementType::F32)) {
    if (blocked.reread || blocked.apart != candidate.apart ||
        blocked.outer >= source.sizeOf(over) ||
        blocked.outer < 8 * machine.partitions)
      continue;
    candidate.outer = blocked.outer;
    candidate.partials = ElementType::F32;
    // Sums are rounded only where they do not fit otherwise.
    if (!build(candidate))
      candidate.partials = source.matrices.front().type;
    if (!roundsOften(candidate))
      result.push_back(candidate);
  }
  return result;
}

std::vector<Candidate>
PlanSpace::withLessOfX(const Candidate &candidate) const {
  std::vector<Candidate> result{candidate};
  for (Arrival arrival : {Arrival::Early, Arrival::InTime})
    if (candidate.arrival == Arrival::Beside ||
        (candidate.arrival == Arrival::Early && arrival == Arrival::InTime)) {
      result.push_back(candidate);
      result.back().arrival = arrival;
    }
  llvm::append_range(result, withBlockedContraction(candidate));
  return result;
}

/// Sets of products, as bits, whose weights come with their whole contraction:
/// none or all, and what `keep` may ask for.
std::vector<unsigned> PlanSpace::wholeWeights() const {
  unsigned most = std::min<size_t>(source.stages.size(), 6);
  std::vector<unsigned> sets{0, ~0u};
  if (!constraints.keep.empty())
    for (unsigned set = 1; set + 1 < 1u << most; ++set)
      sets.push_back(set);
  return sets;
}

std::vector<Candidate> PlanSpace::tightStarts() const {
  int64_t tile = machine.partitions;
  std::vector<Candidate> all;
  for (unsigned whole : wholeWeights())
    for (int64_t rows : strips())
      for (TransposeMode mode :
           {TransposeMode::Implicit, TransposeMode::Explicit})
        for (Arrival arrival : {Arrival::Early, Arrival::InTime}) {
          all.push_back(startWith(mode, 1, arrival, tilesPassBy));
          all.back().strip = rows;
          Candidate other = startWith(mode, 1, arrival, wholeBlocks);
          for (unsigned product = 0; product < columns.size(); ++product)
            if (whole >> product & 1)
              all.back().weights[product] = other.weights[product];
        }
  for (ElementType partials : {ElementType::F32, source.matrices.front().type})
    for (Candidate candidate : blockedContractions(partials))
      for (int64_t rows : strips())
        for (bool narrow : {false, true}) {
          candidate.strip = rows;
          candidate.piece = std::min(candidate.outer, narrow ? tile : 4 * tile);
          candidate.weights.clear();
          for (unsigned product = 0; product < source.stages.size();
               ++product) {
            int64_t wide = weightChoices(product).front().columns;
            bool isForced = forced(columns[product]) != 0;
            candidate.weights.push_back(
                {narrow && !isForced ? tile : wide, 0, 2});
          }
          all.push_back(candidate);
        }
  // The last resort.
  for (Candidate candidate : std::vector<Candidate>(all)) {
    candidate.piece = std::min(candidate.piece, tile);
    for (unsigned product = 0; product < source.stages.size(); ++product) {
      if (!forced(columns[product]))
        candidate.weights[product].columns = tile;
      candidate.weights[product].slots = 1;
    }
    all.push_back(candidate);
  }
  return all;
}

std::vector<Candidate> PlanSpace::alongOther(Axis axis,
                                             const Candidate &candidate) const {
  std::vector<Candidate> result;
  auto add = [&](auto change) {
    Candidate other = candidate;
    change(other);
    result.push_back(other);
  };
  bool chain = source.stages.size() > 1;
  switch (axis) {
  case transposition:
    if (chain && !constraints.transpose)
      add([](Candidate &c) {
        c.transpose = c.transpose == TransposeMode::Implicit
                          ? TransposeMode::Explicit
                          : TransposeMode::Implicit;
      });
    return result;
  case arrivals:
    for (Arrival arrival :
         {Arrival::Beside, Arrival::Early, Arrival::InTime, Arrival::Packed})
      if (arrival != candidate.arrival && !constraints.recompute)
        add([&](Candidate &c) { c.arrival = arrival; });
    return result;
  case stripSizes:
    for (int64_t rows : strips())
      if (rows != candidate.strip)
        add([&](Candidate &c) { c.strip = rows; });
    return result;
  case pieces:
    for (int64_t tiles : {2, 4, 8, 16, 0})
      if (tiles * machine.partitions != candidate.piece)
        add([&](Candidate &c) { c.piece = tiles * machine.partitions; });
    return result;
  case intermediates:
    if (maySpill())
      add([](Candidate &c) { c.apart = !c.apart; });
    if (chain && !constraints.recompute && !candidate.apart)
      add([](Candidate &c) { c.whole = !c.whole; });
    return result;
  case contraction:
    return withBlockedContraction(candidate);
  case numOtherAxes:
    break;
  }
  return result;
}

std::vector<Candidate>
PlanSpace::alongWeight(unsigned product, const Candidate &candidate) const {
  std::vector<Candidate> result;
  for (const WeightChoice &weight : weightChoices(product)) {
    result.push_back(candidate);
    result.back().weights[product] = weight;
  }
  return result;
}

std::vector<Candidate> PlanSpace::along(unsigned axis,
                                        const Candidate &candidate) const {
  unsigned products = source.stages.size();
  if (axis < intermediates)
    return alongOther(Axis(axis), candidate);
  if (axis < intermediates + products)
    return alongWeight(axis - intermediates, candidate);
  return alongOther(Axis(axis - products), candidate);
}

std::vector<Candidate> PlanSpace::pairs(const Candidate &candidate) const {
  std::vector<Candidate> result;
  for (unsigned axis = 0; axis < numOtherAxes; ++axis)
    for (const Candidate &other : alongOther(Axis(axis), candidate))
      for (unsigned product = 0; product < source.stages.size(); ++product)
        llvm::append_range(result, alongWeight(product, other));
  return result;
}
