//===- EditRates.cpp - How often edits make plans faster ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EditRates.h"

using namespace mlir::trn::search;
using Kind = Edit::Kind;

namespace {
struct Campaign {
  Kind kind;
  int tried, faster;
};
} // namespace

/// Counted in the searches for 25 kernels: products, chains and MLPs of 1 to
/// 8192 rows for trn1 and trn2, 4000 programs each. Of the last ten, which
/// starts try, or which are rare, nothing is known: their counts are assumed.
static constexpr Campaign campaign[] = {
    {Kind::Block, 24210, 1684}, {Kind::BlockHere, 836, 23},
    {Kind::Insert, 12030, 80},  {Kind::Remove, 2635, 53},
    {Kind::Swap, 949, 17},      {Kind::PsumSums, 1917, 127},
    {Kind::Slots, 9001, 199},   {Kind::Level, 6330, 287},
    {Kind::Prefetch, 2939, 88}, {Kind::Spill, 2512, 1},
    {Kind::Keep, 100, 1},       {Kind::Pack, 100, 1},
    {Kind::Transposer, 100, 5}, {Kind::Number, 100, 1},
    {Kind::Whole, 100, 1},      {Kind::Apart, 100, 20},
    {Kind::Engine, 100, 5},     {Kind::Banks, 100, 5},
    {Kind::Jam, 100, 10},       {Kind::Stack, 100, 10}};

/// So many tries of a search weigh as much as the campaign.
static constexpr double weight = 50;

EditRates::EditRates() {
  for (auto [kind, tried, faster] : campaign)
    counts[size_t(kind)] = {weight, weight * faster / tried};
}

void EditRates::count(Kind kind, bool isFaster) {
  Counts &own = counts[size_t(kind)];
  ++own.tried;
  own.faster += isFaster;
}

double EditRates::rate(Kind kind) const {
  const Counts &own = counts[size_t(kind)];
  return own.faster / own.tried;
}
