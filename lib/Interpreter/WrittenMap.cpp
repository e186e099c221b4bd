//===- WrittenMap.cpp - Which bytes of a memory hold a value --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Interpreter/WrittenMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::trn;

static constexpr int64_t granule = 2;
static constexpr int64_t bitsPerWord = 64;
static constexpr int64_t bytesPerWord = granule * bitsPerWord;

WrittenMap::WrittenMap(int64_t partitions, int64_t bytes)
    : partitions(partitions),
      words(partitions * ((bytes + bytesPerWord - 1) / bytesPerWord), 0) {}

/// Calls `visit(word, mask)` for each word that [lo, hi) touches until it
/// returns true.
template <typename Visit>
bool WrittenMap::forEachWord(int64_t lo, int64_t hi, Visit visit) {
  int64_t bit = lo / granule, end = hi / granule;
  while (bit < end) {
    int64_t word = bit / bitsPerWord, first = bit % bitsPerWord;
    int64_t count = std::min(bitsPerWord - first, end - bit);
    uint64_t mask = ~uint64_t(0) >> (bitsPerWord - count) << first;
    if (visit(word, mask))
      return true;
    bit += count;
  }
  return false;
}

void WrittenMap::set(int64_t p0, int64_t p1, int64_t lo, int64_t hi) {
  forEachWord(lo, hi, [&](int64_t word, uint64_t mask) {
    uint64_t *row = words.data() + word * partitions;
    for (int64_t p = p0; p < p1; ++p)
      row[p] |= mask;
    return false;
  });
}

void WrittenMap::clear(int64_t p0, int64_t p1, int64_t lo, int64_t hi) {
  forEachWord(lo, hi, [&](int64_t word, uint64_t mask) {
    uint64_t *row = words.data() + word * partitions;
    for (int64_t p = p0; p < p1; ++p)
      row[p] &= ~mask;
    return false;
  });
}

std::optional<WrittenMap::Position>
WrittenMap::findHole(int64_t p0, int64_t p1, int64_t lo, int64_t hi) const {
  std::optional<Position> hole;
  forEachWord(lo, hi, [&](int64_t word, uint64_t mask) {
    const uint64_t *row = words.data() + word * partitions;
    uint64_t all = mask;
    for (int64_t p = p0; p < p1; ++p)
      all &= row[p];
    if (all == mask)
      return false;
    int64_t bit = llvm::countr_zero(mask & ~all);
    int64_t p = p0;
    while (row[p] >> bit & 1)
      ++p;
    hole = Position{p, (word * bitsPerWord + bit) * granule};
    return true;
  });
  return hole;
}

void WrittenMap::add(const WrittenMap &other) {
  for (auto [word, theirs] : llvm::zip_equal(words, other.words))
    word |= theirs;
}

void WrittenMap::keep(const WrittenMap &other) {
  for (auto [word, theirs] : llvm::zip_equal(words, other.words))
    word &= theirs;
}

std::optional<WrittenMap::Position>
WrittenMap::findSet(int64_t p0, int64_t p1, int64_t lo, int64_t hi) const {
  std::optional<Position> found;
  forEachWord(lo, hi, [&](int64_t word, uint64_t mask) {
    const uint64_t *row = words.data() + word * partitions;
    uint64_t any = 0;
    for (int64_t p = p0; p < p1; ++p)
      any |= row[p] & mask;
    if (any == 0)
      return false;
    int64_t bit = llvm::countr_zero(any), p = p0;
    while (!(row[p] >> bit & 1))
      ++p;
    found = Position{p, (word * bitsPerWord + bit) * granule};
    return true;
  });
  return found;
}
