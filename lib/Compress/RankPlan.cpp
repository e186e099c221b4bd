//===- RankPlan.cpp - Which weights get factors, of which rank ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/RankPlan.h"

#include "trn/Support/HostTensor.h"
#include "trn/Support/JSON.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

char NothingToFactor::ID = 0;

int64_t mlir::trn::countParameters(const ModelConfig &config) {
  int64_t count = 0;
  for (const TensorSpec &spec : listTensors(config))
    if (!spec.isScale())
      count += *countElements(spec.shape);
  return count;
}

ModelConfig mlir::trn::factoredConfig(const ModelConfig &config,
                                      llvm::ArrayRef<FactoredMatrix> plan) {
  ModelConfig factored = config;
  for (const FactoredMatrix &matrix : plan)
    if (matrix.isFactored())
      factored.ranks[matrix.module] = matrix.rank;
  const size_t perLayer = plan.size() / config.layers;
  std::vector<int64_t> widths;
  for (int64_t layer = 0; layer < config.layers && perLayer; ++layer) {
    const FactoredMatrix &down = plan[layer * perLayer + perLayer - 1];
    widths.push_back(down.inLeft());
  }
  if (!widths.empty())
    factored.setIntermediates(widths);
  if (!plan.empty()) { // q and k, of the same shape in all layers
    factored.heads = plan[0].outLeft() / config.headDim;
    factored.kvHeads = plan[1].outLeft() / config.headDim;
  }
  return factored;
}

llvm::Expected<std::map<std::string, int64_t>>
mlir::trn::parseRanks(StringRef json) {
  llvm::Expected<llvm::json::Value> value = parseJSON(json);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  if (object && object->getObject("truncation_ranks"))
    object = object->getObject("truncation_ranks");
  if (!object)
    return createStringError("it is no object of modules and ranks");
  std::map<std::string, int64_t> ranks;
  for (const auto &[module, rank] : *object) {
    std::optional<int64_t> number = rank.getAsInteger();
    if (!number || *number < 1)
      return createStringError(formatv(
          "the rank of '{0}' is {1}, but must be at least 1", module, rank));
    ranks[module.str()] = *number;
  }
  return ranks;
}
