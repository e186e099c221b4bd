//===- Generate.cpp - Build linalg modules from sizes ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Generate.h"

#include "FunctionBuilder.h"

using namespace mlir;
using namespace mlir::trn;

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateChain(MLIRContext *context, const ChainSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  Activation x = function.addInput(spec.k);
  Weight weight = function.addWeight("", spec.k, spec.n, spec.rank);
  Value wide = function.project("o", x, weight, spec.transposedOutput);
  return function.finish(function.round("o", wide));
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateMlp(MLIRContext *context, const MlpSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  int64_t hidden = spec.hidden, intermediate = spec.intermediate;
  Activation x = function.addInput(hidden);
  Weight gate = function.addWeight("gate_", hidden, intermediate, spec.rank);
  Weight up = function.addWeight("up_", hidden, intermediate, spec.rank);
  Weight down = function.addWeight("down_", intermediate, hidden, spec.rank);

  Value wideGate = function.project("gate", x, gate);
  Value wideUp = function.project("up", x, up);
  Value h = function.multiplyGated("h", wideGate, wideUp);
  Value wide = function.project("o", {h}, down, spec.transposedOutput);
  return function.finish(function.round("o", wide));
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateQkv(MLIRContext *context, const QkvSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  FunctionBuilder function(context, spec);
  int64_t shared = spec.keyValueColumns();
  Activation x = function.addInput(spec.hidden);
  Weight weights[] = {
      function.addWeight("query_", spec.hidden, spec.queryColumns(),
                         spec.queryRank),
      function.addWeight("key_", spec.hidden, shared, spec.keyValueRank),
      function.addWeight("value_", spec.hidden, shared, spec.keyValueRank)};

  StringRef names[] = {"query", "key", "value"};
  SmallVector<Value> results;
  for (auto [name, weight] : llvm::zip_equal(names, weights)) {
    Value wide = function.project(name, x, weight, spec.transposedOutput);
    results.push_back(function.round(name, wide));
  }
  return function.finish(results);
}
