//===- Scope.h - Which weights a choice names -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_SCOPE_H
#define TRN_LIB_COMPRESS_SCOPE_H

#include "trn/Compress/RankPlan.h"
#include <set>

namespace mlir::trn {

/// The weights that a choice names.
class Scope {
public:
  static llvm::Expected<Scope> of(const ModelConfig &config,
                                  const RankChoice &choice);

  bool contains(llvm::StringRef module, int64_t layer) const;

private:
  llvm::Error readLayers(llvm::StringRef text, int64_t count);

  const RankChoice *choice = nullptr;
  std::set<int64_t> layers; // all if empty
};

/// All weights of all layers, without ranks.
std::vector<FactoredMatrix> listWeights(const ModelConfig &config);

/// What to remove of each weight, so that `share` of the model's parameters go.
llvm::Expected<double> toWeightRatio(double share,
                                     llvm::ArrayRef<FactoredMatrix *> asked,
                                     const ModelConfig &config);

/// `planRanks` where whole neurons go.
llvm::Expected<std::vector<FactoredMatrix>>
planNeurons(const ModelConfig &config, const RankChoice &choice);

/// Whether whole heads go.
bool asksForHeads(const Scope &scope, const ModelConfig &config,
                  llvm::ArrayRef<FactoredMatrix> plan);
/// Gives all weights of attention as many heads as a choice says, or as a share
/// leaves that is to be removed.
llvm::Error planHeads(const ModelConfig &config, const RankChoice &choice,
                      double ratio, const Scope &scope,
                      std::vector<FactoredMatrix> &plan);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_SCOPE_H
