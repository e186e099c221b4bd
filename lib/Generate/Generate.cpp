//===- Generate.cpp - Build linalg modules from sizes ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Generate.h"

#include "FunctionBuilder.h"
#include "RowFunctions.h"

using namespace mlir;
using namespace mlir::trn;

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateChain(MLIRContext *context, const ChainSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Activation x = function.addInput(spec.k, spec.transposedInput);
  Weight weight = function.addWeight("", spec.k, spec.n, spec.rank);
  Value wide = function.project("o", x, weight, spec.transposedOutput);
  return function.finish(function.round("o", wide));
}

namespace {

struct MlpWeights {
  Weight gate, up, down;
};

} // namespace

static MlpWeights addMlpWeights(FunctionBuilder &function,
                                const MlpSpec &spec) {
  int64_t hidden = spec.hidden, intermediate = spec.intermediate;
  Weight gate =
      function.addWeight("gate_", hidden, intermediate, spec.rank, "gate");
  Weight up = function.addWeight("up_", hidden, intermediate, spec.rank, "up");
  return {gate, up,
          function.addWeight("down_", intermediate, hidden, spec.rank, "down")};
}

static Value buildMlp(FunctionBuilder &function, StringRef name, Activation x,
                      const MlpWeights &weights, bool transposedResult) {
  Value gate = function.project("gate", x, weights.gate);
  Value up = function.project("up", x, weights.up);
  Value h = function.multiplyGated("h", gate, up);
  Value wide = function.project(name, {h}, weights.down, transposedResult);
  return function.round(name, wide);
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateMlp(MLIRContext *context, const MlpSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Activation x = function.addInput(spec.hidden, spec.transposedInput);
  MlpWeights weights = addMlpWeights(function, spec);
  return function.finish(
      buildMlp(function, "o", x, weights, spec.transposedOutput));
}

/// Of queries, keys and values.
static std::array<Weight, 3> addQkvWeights(FunctionBuilder &function,
                                           const QkvSpec &spec) {
  int64_t hidden = spec.hidden, shared = spec.keyValueColumns();
  Weight query = function.addWeight("query_", hidden, spec.queryColumns(),
                                    spec.queryRank, "q");
  Weight key =
      function.addWeight("key_", hidden, shared, spec.keyValueRank, "k");
  return {query, key,
          function.addWeight("value_", hidden, shared, spec.keyValueRank, "v")};
}

/// Queries, keys and values, rounded.
static std::array<Value, 3> buildQkv(FunctionBuilder &function, Activation x,
                                     ArrayRef<Weight> weights,
                                     bool transposedResult) {
  std::array<Value, 3> results;
  const char *names[] = {"query", "key", "value"};
  for (auto [name, weight, result] : llvm::zip_equal(names, weights, results))
    result = function.round(
        name, function.project(name, x, weight, transposedResult));
  return results;
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateQkv(MLIRContext *context, const QkvSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Activation x = function.addInput(spec.hidden, spec.transposedInput);
  std::array<Weight, 3> weights = addQkvWeights(function, spec);
  return function.finish(buildQkv(function, x, weights, spec.transposedOutput));
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateNorm(MLIRContext *context, const NormSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Value x = function.addInput(spec.hidden).value;
  Value gain = function.addTensor("gain", spec.hidden);
  Value bias;
  if (spec.kind == NormKind::Layer)
    bias = function.addTensor("bias", spec.hidden);
  Weight weight;
  if (spec.n)
    weight = function.addWeight("", spec.hidden, *spec.n, std::nullopt);

  Value normed =
      bias ? normalizeLayer(function, "normed", x, gain, bias, spec.epsilon)
           : normalizeRms(function, "normed", x, gain, spec.epsilon);
  if (!spec.n)
    return function.finish(normed);
  return function.finish(
      function.round("o", function.project("o", {normed}, weight)));
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateAttention(MLIRContext *context, const AttentionSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Value q = function.addTensor("q", {spec.heads, spec.m, spec.headDim});
  Value k = function.addTensor("k", {spec.kvHeads, spec.context, spec.headDim});
  Value v = function.addTensor("v", {spec.kvHeads, spec.context, spec.headDim});
  return function.finish(attend(function, spec, q, k, v));
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateLayer(MLIRContext *context, const LayerSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  QkvSpec qkv = spec.qkv();
  MlpSpec mlp = spec.mlp();

  Value x = function.addInput(spec.hidden).value;
  Value cos = function.addTensor("cos", {spec.m, spec.headDim});
  Value sin = function.addTensor("sin", {spec.m, spec.headDim});
  Value keysBefore, valuesBefore;
  if (int64_t before = spec.context - spec.m) {
    int64_t shape[] = {spec.kvHeads, before, spec.headDim};
    keysBefore = function.addTensor("keys_before", shape);
    valuesBefore = function.addTensor("values_before", shape);
  }
  Value inputGain = function.addTensor("input_gain", spec.hidden);
  std::array<Weight, 3> qkvWeights = addQkvWeights(function, qkv);
  Value queryGain, keyGain;
  if (spec.normalizeHeads) {
    queryGain = function.addTensor("query_gain", spec.headDim);
    keyGain = function.addTensor("key_gain", spec.headDim);
  }
  Weight outputWeight = function.addWeight("output_", qkv.queryColumns(),
                                           spec.hidden, spec.outputRank, "o");
  Value mlpGain = function.addTensor("mlp_gain", spec.hidden);
  MlpWeights mlpWeights = addMlpWeights(function, mlp);

  Value normed = normalizeRms(function, "normed", x, inputGain, spec.epsilon);
  auto [q, k, v] = buildQkv(function, {normed}, qkvWeights, false);
  auto rotate = [&](StringRef name, Value x, int64_t heads, Value gain) {
    x = splitHeads(function, name + "_heads", x, heads);
    if (gain)
      x = normalizeRms(function, (name + "_normed").str(), x, gain,
                       spec.epsilon);
    x = swapHeads(function, name + "_heads", x);
    return rotateHalves(function, name + "_rotated", x, cos, sin);
  };
  Value queries = rotate("query", q, spec.heads, queryGain);
  Value newKeys = rotate("key", k, spec.kvHeads, keyGain);
  Value newValues =
      swapHeads(function, "value_heads",
                splitHeads(function, "value_heads", v, spec.kvHeads));
  Value keys = newKeys, values = newValues;
  if (keysBefore) {
    keys = appendRows(function, "keys", keysBefore, newKeys);
    values = appendRows(function, "values", valuesBefore, newValues);
  }

  Value attended = attend(function, spec.attention(), queries, keys, values);
  attended = mergeHeads(function, "attended",
                        swapHeads(function, "attended", attended));
  Value output = function.round(
      "output", function.project("output", {attended}, outputWeight));
  Value between = addElements(function, "between", x, output);
  normed = normalizeRms(function, "mlp_normed", between, mlpGain, spec.epsilon);
  Value down = buildMlp(function, "down", {normed}, mlpWeights, false);
  Value result = addElements(function, "o", between, down);
  if (keysBefore)
    return function.finish({result, newKeys, newValues});
  return function.finish(result);
}
