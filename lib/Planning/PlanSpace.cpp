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
  // All of X^T is on chip, and weights pass by once.
  if (!llvm::is_contained(sizes, size))
    sizes.push_back(size);
  return sizes;
}

/// The blocks in which the result of a product may pass by. It leaves room if
/// the sums of what reads it take less.
std::vector<int64_t> PlanSpace::passingBlocks(unsigned product) const {
  unsigned result = source.stages[product].result;
  if (source.matrices[result].role != Role::Intermediate ||
      constraints.recompute)
    return {};
  double room = source.bytesOf(source.matrices[result]);
  for (auto [reader, stage] : llvm::enumerate(source.stages)) {
    if (llvm::is_contained(stage.expression.matrices(), result))
      return {};
    if (llvm::is_contained(stage.operands(), result))
      room -= double(byteSize(ElementType::F32)) *
              double(source.sizeOf(strip)) *
              double(source.sizeOf(columns[reader]));
  }
  if (room <= 0)
    return {};
  if (int64_t block = forced(columns[product]))
    return {block, 0};
  int64_t tile = machine.partitions;
  return {4 * tile, 8 * tile, 2 * tile, 16 * tile, 0};
}

/// `choice` with the blocks that are demanded, in whole tiles.
WeightChoice PlanSpace::asDemanded(unsigned product,
                                   WeightChoice choice) const {
  int64_t block = forced(columns[product]), tile = machine.partitions;
  int64_t depth = source.stages[product].sumsOver(over) ? forced(over) : 0;
  if (depth)
    choice.over = depth < source.sizeOf(over) ? depth : 0;
  choice.columns =
      block ? block
            : std::max<int64_t>(tile, llvm::alignDown(choice.columns, tile));
  return choice;
}

bool PlanSpace::turnsWeight(unsigned product) const {
  return llvm::any_of(source.stages[product].terms, [&](const Term &term) {
    return llvm::any_of(
        std::array{term.left, term.right}, [&](unsigned factor) {
          const Matrix &matrix = source.matrices[factor];
          return matrix.role == Role::Input && matrix.columns == term.over &&
                 matrix.rows != strip;
        });
  });
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
                                       {4 * width, tile, 8},
                                       {2 * width, 0, 2},
                                       {3 * width / 2, 2 * tile, 4},
                                       {width, 4 * tile, 4},
                                       {4 * width, 0, 2, true}};
  // Blocks that leave no small rest.
  int64_t size = source.sizeOf(columns[product]), count = size / width;
  if (count && size % width && size % width < width / 2)
    for (int64_t blocks : {count, count + 1}) {
      int64_t even = llvm::alignTo(llvm::divideCeil(size, blocks), tile);
      choices.push_back({even, 2 * tile, 4});
      choices.push_back({even, 0, 2});
    }
  // The sums of four tiles leave banks for what is turned.
  if (turnsWeight(product))
    for (int64_t wide : {width / 2, width, width / 4})
      choices.push_back({wide, 4 * tile, 2, false, /*rowsBeside=*/4 * tile});
  std::vector<WeightChoice> fitting;
  for (const WeightChoice &choice : choices)
    if (WeightChoice own = asDemanded(product, choice);
        !llvm::is_contained(fitting, own))
      fitting.push_back(own);
  return fitting;
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
            (laterStrip && forced(strip)) ||
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
        candidate.passing.assign(source.stages.size(), 0);
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
  case passing:
    for (unsigned product = 0; product < source.stages.size(); ++product)
      for (int64_t block : passingBlocks(product))
        if (block != candidate.passing[product])
          add([&](Candidate &c) { c.passing[product] = block; });
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
