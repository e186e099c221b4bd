//===- WeightNames.cpp - Weights by their names in checkpoints ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightNames.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<WeightName> WeightName::parse(StringRef name) {
  auto [module, kind] = name.rsplit('.');
  WeightName parsed;
  parsed.isScale = kind.consume_back("_scale");
  if (kind != "weight" && (kind != "bias" || parsed.isScale))
    return std::nullopt;
  if (kind == "bias")
    parsed.part = Part::Bias;
  StringRef last = module.contains('.') ? module.rsplit('.').second : module;
  parsed.matrix = last;
  if (last == "lm_head")
    return parsed;
  if (!parsed.matrix.consume_back("_proj"))
    return std::nullopt;
  StringRef factored = parsed.matrix;
  // The first factor is called v.
  if (kind == "weight" && factored.consume_back("_v"))
    parsed = {factored, Part::First, parsed.isScale};
  else if (kind == "weight" && factored.consume_back("_u"))
    parsed = {factored, Part::Second, parsed.isScale};
  if (!parsed.hasHeads() && !parsed.isOfMlp() && parsed.matrix != "o")
    return std::nullopt;
  return parsed;
}

bool WeightName::hasHeads() const {
  return llvm::is_contained({"q", "k", "v"}, matrix);
}

bool WeightName::isOfMlp() const {
  return llvm::is_contained({"gate", "up", "down"}, matrix);
}

SharedDim mlir::trn::findSharedDim(const WeightName &name,
                                   PartitionScheme scheme) {
  if (name.isScale) {
    WeightName weight = name;
    weight.isScale = false;
    SharedDim shared = findSharedDim(weight, scheme);
    return shared == SharedDim::Outputs ? shared : SharedDim::None;
  }
  using Part = WeightName::Part;
  // Attention is split by heads in any scheme.
  if (!name.isOfMlp())
    scheme = PartitionScheme::Column;
  bool sharesRank = scheme != PartitionScheme::Column;
  bool sumsRank = scheme == PartitionScheme::Reduce;
  switch (name.part) {
  case Part::Dense:
    return name.isWidening() ? SharedDim::Outputs : SharedDim::Inputs;
  case Part::Bias: // That of a sum over cores is added behind it.
    return name.isWidening() ? SharedDim::Outputs : SharedDim::None;
  case Part::First:
    if (!name.isWidening() && !sumsRank)
      return SharedDim::Inputs;
    return sharesRank ? SharedDim::Outputs : SharedDim::None;
  case Part::Second:
    if (name.isWidening() && !sumsRank)
      return SharedDim::Outputs;
    return sharesRank ? SharedDim::Inputs : SharedDim::None;
  }
  llvm_unreachable("unknown part of a matrix");
}
