//===- PartitionFunctions.cpp - All values of a partition -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PartitionFunctions.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>

using namespace mlir::trn;
using llvm::ArrayRef;
using Values = std::vector<float>;

/// How many values max8 and its kin find.
static constexpr int64_t eight = 8;
/// The index of what is not found: all bits of 32 are set.
static constexpr float nowhere = 4294967295.0f;

std::string mlir::trn::checkSizes(PartitionFunction function,
                                  ArrayRef<int64_t> reads,
                                  ArrayRef<int64_t> writes) {
  int64_t count = reads.front();
  auto isOf = [&](ArrayRef<int64_t> sizes, std::initializer_list<int64_t> own) {
    return sizes == ArrayRef<int64_t>(own);
  };
  bool fits = false;
  switch (function) {
  case PartitionFunction::BnStats:
    fits = isOf(writes, {6}) && reads.size() == 1;
    break;
  case PartitionFunction::BnAggregate:
    fits = isOf(writes, {2}) && reads.size() == 1 && count % 3 == 0;
    break;
  case PartitionFunction::Max8:
    fits = isOf(writes, {eight}) && reads.size() == 1 && count >= eight;
    break;
  case PartitionFunction::FindIndex8:
    fits = isOf(writes, {eight}) && isOf(reads, {count, eight});
    break;
  case PartitionFunction::MatchReplace8:
    fits = (isOf(writes, {count}) || isOf(writes, {count, eight})) &&
           isOf(reads, {count, eight});
    break;
  case PartitionFunction::Gather:
    fits = writes.size() == 1 && isOf(reads, {count, writes.front()});
    break;
  }
  return fits ? ""
              : "has operands whose sizes do not fit what it computes of a "
                "partition";
}

/// Of every second value from `first` on.
static void addMoments(ArrayRef<float> values, size_t first, float *triple) {
  double count = 0, sum = 0, squares = 0;
  for (size_t i = first; i < values.size(); i += 2, ++count)
    sum += values[i];
  double mean = count == 0 ? 0 : sum / count;
  for (size_t i = first; i < values.size(); i += 2)
    squares += (values[i] - mean) * (values[i] - mean);
  triple[0] = float(count);
  triple[1] = float(mean);
  triple[2] = float(squares);
}

static void aggregate(ArrayRef<float> triples, Values &result) {
  double count = 0, sum = 0, squares = 0;
  for (size_t i = 0; i < triples.size(); i += 3) {
    count += triples[i];
    sum += double(triples[i]) * triples[i + 1];
  }
  double mean = sum / count;
  for (size_t i = 0; i < triples.size(); i += 3) {
    double distance = triples[i + 1] - mean;
    squares += triples[i + 2] + triples[i] * distance * distance;
  }
  result = {float(mean), float(squares / count)};
}

static void findLargest(Values values, Values &result) {
  auto isLarger = [](float a, float b) {
    return std::isnan(a) ? !std::isnan(b) : a > b;
  };
  std::partial_sort(values.begin(), values.begin() + eight, values.end(),
                    isLarger);
  result.assign(values.begin(), values.begin() + eight);
}

static void findIndices(ArrayRef<float> data, ArrayRef<float> wanted,
                        Values &result) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    // Those before that are equal have taken the first places.
    int64_t taken = llvm::count(wanted.take_front(i), wanted[i]);
    result[i] = nowhere;
    for (size_t place = 0; place < data.size(); ++place)
      if (data[place] == wanted[i] && taken-- == 0) {
        result[i] = float(place);
        break;
      }
  }
}

static void replace(ArrayRef<float> data, ArrayRef<float> wanted,
                    float replacement, PartitionValues &results) {
  Values &replaced = results[0];
  replaced.assign(data.begin(), data.end());
  for (size_t i = wanted.size(); i-- > 0;) {
    auto found = llvm::find(replaced, wanted[i]);
    if (results.size() > 1)
      results[1][i] =
          found == replaced.end() ? nowhere : float(found - replaced.begin());
    if (found != replaced.end())
      *found = replacement;
  }
}

void mlir::trn::compute(PartitionFunction function,
                        const PartitionValues &values,
                        ArrayRef<float> parameters, PartitionValues &results) {
  switch (function) {
  case PartitionFunction::BnStats:
    addMoments(values[0], 0, results[0].data());
    return addMoments(values[0], 1, results[0].data() + 3);
  case PartitionFunction::BnAggregate:
    return aggregate(values[0], results[0]);
  case PartitionFunction::Max8:
    return findLargest(values[0], results[0]);
  case PartitionFunction::FindIndex8:
    return findIndices(values[0], values[1], results[0]);
  case PartitionFunction::MatchReplace8:
    return replace(values[0], values[1], parameters[0], results);
  case PartitionFunction::Gather:
    for (auto [result, place] : llvm::zip_equal(results[0], values[1]))
      result = values[0][size_t(place)];
    return;
  }
}
