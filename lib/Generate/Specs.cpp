//===- Specs.cpp - Refuse sizes of no use ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Specs.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

// Sizes beyond these are typing errors: no machine holds such a tensor, and the
// sizes of everything derived from them stay far from overflowing 64 bits.
constexpr int64_t maxSize = (int64_t(1) << 31) - 1;
constexpr int64_t maxElements = int64_t(1) << 40;

struct Size {
  StringRef name;
  int64_t size;
};

struct Tensor {
  StringRef name;
  int64_t rows, columns;
};

} // namespace

static llvm::Error checkSizes(ArrayRef<Size> sizes) {
  for (auto [name, size] : sizes) {
    if (size < 1)
      return llvm::createStringError("size " + name + " is " + Twine(size) +
                                     ", but at least 1 is needed");
    if (size > maxSize)
      return llvm::createStringError("size " + name + " is " + Twine(size) +
                                     ", but at most " + Twine(maxSize) +
                                     " is allowed");
  }
  return llvm::Error::success();
}

static llvm::Error checkTensors(ArrayRef<Tensor> tensors) {
  for (auto [name, rows, columns] : tensors)
    if (rows > maxElements / columns)
      return llvm::createStringError(
          name + " has " + Twine(rows) + " x " + Twine(columns) +
          " elements, but at most " + Twine(maxElements) + " are allowed");
  return llvm::Error::success();
}

llvm::Error mlir::trn::checkSpec(const ChainSpec &spec) {
  if (llvm::Error error = checkSizes({{"m", spec.m},
                                      {"k", spec.k},
                                      {"r", spec.rank.value_or(1)},
                                      {"n", spec.n}}))
    return error;
  if (llvm::Error error =
          checkTensors({{"X", spec.m, spec.k}, {"O", spec.m, spec.n}}))
    return error;
  if (!spec.rank)
    return checkTensors({{"W", spec.k, spec.n}});
  return checkTensors({{"U", spec.k, *spec.rank},
                       {"Y", spec.m, *spec.rank},
                       {"V", *spec.rank, spec.n}});
}

llvm::Error mlir::trn::checkSpec(const MlpSpec &spec) {
  int64_t rank = spec.rank.value_or(1);
  if (llvm::Error error = checkSizes({{"m", spec.m},
                                      {"hidden", spec.hidden},
                                      {"intermediate", spec.intermediate},
                                      {"rank", rank}}))
    return error;
  if (llvm::Error error = checkTensors(
          {{"X", spec.m, spec.hidden}, {"H", spec.m, spec.intermediate}}))
    return error;
  if (!spec.rank)
    return checkTensors({{"the gate", spec.hidden, spec.intermediate}});
  return checkTensors({{"a factor of the gate", spec.hidden, rank},
                       {"Y", spec.m, rank},
                       {"a factor of the gate", rank, spec.intermediate}});
}

llvm::Error mlir::trn::checkSpec(const QkvSpec &spec) {
  int64_t queryRank = spec.queryRank.value_or(1);
  int64_t keyValueRank = spec.keyValueRank.value_or(1);
  if (llvm::Error error = checkSizes({{"m", spec.m},
                                      {"hidden", spec.hidden},
                                      {"heads", spec.heads},
                                      {"kv-heads", spec.kvHeads},
                                      {"head-dim", spec.headDim},
                                      {"rank", queryRank},
                                      {"rank", keyValueRank}}))
    return error;
  if (spec.heads % spec.kvHeads)
    return llvm::createStringError(
        "heads is " + Twine(spec.heads) + ", but must be a multiple of the " +
        Twine(spec.kvHeads) + " kv-heads, each of which serves as many heads");
  int64_t columns = spec.queryColumns();
  if (llvm::Error error = checkSizes({{"heads x head-dim", columns}}))
    return error;
  // Keys and values are no larger than queries.
  if (llvm::Error error =
          checkTensors({{"X", spec.m, spec.hidden}, {"Q", spec.m, columns}}))
    return error;
  if (!spec.queryRank || !spec.keyValueRank)
    if (llvm::Error error = checkTensors({{"the query", spec.hidden, columns}}))
      return error;
  for (int64_t rank : {queryRank, keyValueRank})
    if (llvm::Error error =
            checkTensors({{"a factor of the query", spec.hidden, rank},
                          {"Y", spec.m, rank},
                          {"a factor of the query", rank, columns}}))
      return error;
  return llvm::Error::success();
}
