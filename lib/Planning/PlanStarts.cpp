//===- PlanStarts.cpp - Where searches for plans start --------------------===//
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

Candidate PlanSpace::startWith(TransposeMode transpose, int64_t rows,
                               Arrival arrival, unsigned weights) const {
  Candidate candidate;
  candidate.transpose = constraints.transpose.value_or(transpose);
  candidate.strip = rows;
  candidate.arrival = constraints.recompute ? Arrival::InTime : arrival;
  candidate.piece = 4 * machine.partitions;
  for (unsigned product = 0; product < source.stages.size(); ++product) {
    std::vector<WeightChoice> choices = weightChoices(product);
    candidate.weights.push_back(
        choices[std::min<size_t>(weights, choices.size() - 1)]);
  }
  candidate.passing.assign(source.stages.size(), 0);
  return candidate;
}

/// Several intermediates leave little room: weights come in whole columns, a
/// few at a time, or in tiles where columns are long and all sums are over one
/// dim.
Candidate PlanSpace::startWithManyIntermediates(int64_t rows) const {
  int64_t tile = machine.partitions, width = machine.movingFreeMax;
  Candidate start =
      startWith(TransposeMode::Implicit, rows, Arrival::Early, tilesPassBy);
  for (unsigned product = 0; product < source.stages.size(); ++product) {
    const Stage &stage = source.stages[product];
    WeightChoice weight = start.weights[product];
    bool readsX = stage.sumsOver(over);
    bool isLong = llvm::any_of(stage.terms, [&](const Term &term) {
      return source.sizeOf(term.over) >= 8 * width;
    });
    bool sumsAlike = llvm::all_of(stage.terms, [&](const Term &term) {
      return term.over == stage.terms.front().over;
    });
    if (readsX)
      weight = {weight.columns, 2 * tile, 4};
    else if (!isLong || !sumsAlike)
      weight = {std::min(weight.columns, isLong ? tile : 2 * tile), 0, 2};
    start.weights[product] = asDemanded(product, weight);
  }
  return start;
}

/// The result of `product` passes by, so that much else is on chip.
Candidate PlanSpace::startWithPassing(unsigned product, int64_t rows) const {
  Candidate start = startWithManyIntermediates(rows);
  start.arrival = Arrival::InTime;
  start.passing[product] = passingBlocks(product).front();
  for (auto [reader, stage] : llvm::enumerate(source.stages))
    if (llvm::is_contained(stage.operands(), source.stages[product].result))
      start.weights[reader] = asDemanded(reader, {machine.movingFreeMax, 0, 2});
  return start;
}

std::vector<Candidate> PlanSpace::starts(int64_t rows) const {
  std::vector<Candidate> starts;
  auto implicit = [&](Arrival arrival, WeightStyle weights) {
    return startWith(TransposeMode::Implicit, rows, arrival, weights);
  };
  // Few rows: whole rows of the weights pass by, and fill PSUM with sums.
  if (source.sizeOf(strip) <= machine.partitions) {
    starts.push_back(
        startWith(TransposeMode::Explicit, rows, Arrival::Beside, wideRows));
    starts.push_back(implicit(Arrival::Packed, wholeBlocks));
  }
  starts.push_back(implicit(Arrival::Beside, tilesPassBy));
  if (source.stages.size() > 3)
    if (Candidate many = startWithManyIntermediates(rows); build(many))
      starts.push_back(many);
  // Room for the next strip of X^T, as little else is on chip.
  if (maySpill()) {
    starts.push_back(starts.back());
    starts.back().apart = true;
    for (WeightChoice &weight : starts.back().weights)
      weight.slots = 4;
  }
  // The DMA transposes whole strips.
  if (machine.dmaTranspose) {
    starts.push_back(implicit(Arrival::Beside, kept));
    starts.back().piece = 0;
  }
  for (unsigned product = 0; product < source.stages.size(); ++product)
    if (!passingBlocks(product).empty())
      starts.push_back(startWithPassing(product, rows));
  starts.push_back(implicit(Arrival::Early, kept));
  starts.push_back(implicit(Arrival::Early, wholeBlocks));
  starts.push_back(implicit(Arrival::InTime, tilesPassBy));
  starts.push_back(implicit(Arrival::InTime, wholeBlocks));
  starts.push_back(implicit(Arrival::Beside, kept));
  starts.push_back(
      startWith(TransposeMode::Explicit, rows, Arrival::Beside, tilesPassBy));
  return starts;
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
          all.push_back(startWith(mode, rows, arrival, tilesPassBy));
          Candidate other = startWith(mode, rows, arrival, wholeBlocks);
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
