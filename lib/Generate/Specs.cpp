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

static llvm::Error checkBatch(StringRef subject, int64_t count, int64_t rows,
                              int64_t columns) {
  if (count <= maxElements / rows && count * rows <= maxElements / columns)
    return llvm::Error::success();
  return llvm::createStringError(
      subject + Twine(count) + " x " + Twine(rows) + " x " + Twine(columns) +
      " elements, but at most " + Twine(maxElements) + " are allowed");
}

static llvm::Error checkGroups(int64_t heads, int64_t kvHeads) {
  if (heads % kvHeads == 0)
    return llvm::Error::success();
  return llvm::createStringError(
      "heads is " + Twine(heads) + ", but must be a multiple of the " +
      Twine(kvHeads) + " kv-heads, each of which serves as many heads");
}

static llvm::Error checkEpsilon(double epsilon) {
  if (epsilon >= 0 && epsilon < 1)
    return llvm::Error::success();
  return llvm::createStringError(
      "eps is %g, but at least 0 and less than 1 is needed", epsilon);
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
  if (llvm::Error error = checkGroups(spec.heads, spec.kvHeads))
    return error;
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

llvm::Error mlir::trn::checkSpec(const NormSpec &spec) {
  int64_t columns = spec.n.value_or(1);
  if (llvm::Error error =
          checkSizes({{"m", spec.m}, {"hidden", spec.hidden}, {"n", columns}}))
    return error;
  if (llvm::Error error = checkEpsilon(spec.epsilon))
    return error;
  return checkTensors({{"X", spec.m, spec.hidden},
                       {"W", spec.hidden, columns},
                       {"O", spec.m, columns}});
}

llvm::Error mlir::trn::checkSpec(const AttentionSpec &spec) {
  if (llvm::Error error = checkSizes({{"m", spec.m},
                                      {"heads", spec.heads},
                                      {"kv-heads", spec.kvHeads},
                                      {"head-dim", spec.headDim},
                                      {"context", spec.context},
                                      {"window", spec.window.value_or(1)}}))
    return error;
  if (llvm::Error error = checkGroups(spec.heads, spec.kvHeads))
    return error;
  if (spec.context < spec.m)
    return llvm::createStringError(
        "context is " + Twine(spec.context) +
        ", but holds the positions of all the queries, of which there are " +
        Twine(spec.m));
  if (spec.window && !spec.causal)
    return llvm::createStringError(
        "a window is of the keys before a query; make the attention causal");
  // Values are as large as keys, and queries as small as their positions are
  // few.
  int64_t heads = spec.heads, context = spec.context;
  if (llvm::Error error =
          checkBatch("the keys have ", heads, context, spec.headDim))
    return error;
  return checkBatch("the scores have ", heads, spec.m, context);
}

QkvSpec LayerSpec::qkv() const {
  QkvSpec spec;
  static_cast<FunctionSpec &>(spec) = *this;
  spec.hidden = hidden;
  spec.heads = heads;
  spec.kvHeads = kvHeads;
  spec.headDim = headDim;
  spec.queryRank = queryRank;
  spec.keyValueRank = keyValueRank;
  return spec;
}

MlpSpec LayerSpec::mlp() const {
  MlpSpec spec;
  static_cast<FunctionSpec &>(spec) = *this;
  spec.hidden = hidden;
  spec.intermediate = intermediate;
  spec.rank = mlpRank;
  return spec;
}

AttentionSpec LayerSpec::attention() const {
  AttentionSpec spec;
  static_cast<FunctionSpec &>(spec) = *this;
  spec.heads = heads;
  spec.kvHeads = kvHeads;
  spec.headDim = headDim;
  spec.context = context;
  spec.causal = true;
  return spec;
}

llvm::Error mlir::trn::checkSpec(const LayerSpec &spec) {
  if (llvm::Error error = checkSpec(spec.qkv()))
    return error;
  if (llvm::Error error = checkSpec(spec.attention()))
    return error;
  if (llvm::Error error = checkSpec(spec.mlp()))
    return error;
  if (spec.headDim % 2)
    return llvm::createStringError(
        "head-dim is " + Twine(spec.headDim) +
        ", but must be even: the halves of a head are rotated together");
  if (llvm::Error error = checkEpsilon(spec.epsilon))
    return error;
  int64_t rank = spec.outputRank.value_or(1);
  if (llvm::Error error = checkSizes({{"rank", rank}}))
    return error;
  int64_t columns = spec.qkv().queryColumns();
  return checkTensors({{"a factor of the output", columns, rank},
                       {"a factor of the output", rank, spec.hidden}});
}
