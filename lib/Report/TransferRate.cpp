//===- TransferRate.cpp - Bytes moved over time ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/TransferRate.h"

#include <algorithm>
#include <utility>

using namespace mlir::trn;

static constexpr size_t maxBins = 1 << 16;

void TransferRate::add(int64_t begin, int64_t end, double bytes) {
  while (size_t(end / width) >= maxBins) {
    for (size_t i = 0; i < moved.size(); ++i) {
      double inBin = std::exchange(moved[i], 0);
      moved[i / 2] += inBin;
    }
    moved.resize((moved.size() + 1) / 2);
    width *= 2;
  }
  moved.resize(std::max<size_t>(moved.size(), end / width + 1));
  for (int64_t at = begin; at < end;) {
    int64_t until = std::min(end, (at / width + 1) * width);
    moved[at / width] += bytes * (until - at) / (end - begin);
    at = until;
  }
}
