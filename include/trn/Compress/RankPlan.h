//===- RankPlan.h - The choice of weights and ranks -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_RANKPLAN_H
#define TRN_COMPRESS_RANKPLAN_H

#include "trn/Model/Config.h"

namespace mlir::trn {

/// Modelled milliseconds of the kernels of a weight, for `rows` rows of X.
struct ModelledTime {
  int64_t rows = 0;
  double dense = 0, factored = 0;

  bool isSlower() const { return factored > dense; }
};

/// One weight of a layer and its new form: two factors, or a weight thinned to
/// some neurons of its MLP, or two factors of that.
struct FactoredMatrix {
  std::string module; // model.layers.0.mlp.gate_proj
  int64_t out = 0, in = 0;
  int64_t rank = 0; // 0: it is one weight
  /// The reason to leave it unchanged, or empty.
  std::string keptDense = {};
  /// Figures of its factoring for the manifest: weight_error, output_error and
  /// more.
  llvm::json::Object figures = {};
  /// The effect of its factors on time, if known.
  std::vector<ModelledTime> times = {};
  /// Neurons of its MLP that stay, or elements of heads for attention; 0: all.
  int64_t neurons = 0;
  /// It has a bias, which loses outputs with the weight.
  bool hasBias = false;
  /// It was not requested, but is fitted again.
  bool isRefitted = false;

  bool isChanged() const { return keptDense.empty() || isRefitted; }
  bool isFactored() const { return keptDense.empty() && rank; }
  bool isThin() const { return keptDense.empty() && neurons; }
  /// Whether its inputs, not its outputs, are the neurons of the MLP.
  bool readsNeurons() const {
    return llvm::StringRef(module).ends_with(".down_proj");
  }
  /// Whether its inputs are these, or elements of heads.
  bool losesInputs() const {
    return readsNeurons() || llvm::StringRef(module).ends_with(".o_proj");
  }
  bool isOfMlp() const { return llvm::StringRef(module).contains(".mlp."); }
  int64_t outLeft() const { return isThin() && !losesInputs() ? neurons : out; }
  int64_t inLeft() const { return isThin() && losesInputs() ? neurons : in; }
  int64_t parameters() const {
    return isFactored() ? rank * (outLeft() + inLeft()) : outLeft() * inLeft();
  }
};

/// `keptDense` of a weight that was not requested.
inline constexpr llvm::StringLiteral notAsked = "not asked";

/// The choice of weights that get factors, and of their ranks.
struct RankChoice {
  /// Groups (`mlp`, `attention`) or ends of the names of modules (`gate_proj`,
  /// `layers.3.mlp.up_proj`).
  std::vector<std::string> modules = {"mlp"};
  /// Regular expressions: modules with a match in their name stay whole.
  std::vector<std::string> ignored = {};
  /// Numbers of layers, as `0,3-9`, or empty for all.
  std::string layers = {};

  /// The rank comes from the first of these that is given: modules with their
  /// ranks (no others get factors), or one rank for all. Otherwise a share of
  /// the parameters of each weight, or of the model, is removed.
  std::map<std::string, int64_t> ranks = {};
  std::optional<int64_t> rank = std::nullopt;
  std::optional<double> ratio = std::nullopt, modelRatio = std::nullopt;
  /// Ranks from a share are multiples of `block`, at most `alpha` blocks below
  /// the share.
  int64_t block = 0;
  double alpha = 0.5;

  /// MLPs lose whole neurons: by shares of their parameters, or down to a
  /// number, for all MLPs or by layer. With a rank, the remaining weights get
  /// factors if these have fewer parameters.
  bool cutsNeurons = false;
  /// Weights of attention that are not requested are fitted again.
  bool refitsAttention = false;
  std::vector<int64_t> neurons = {};
  /// Heads of queries and of keys that stay in all layers. Without them, a
  /// share of the heads of keys stays, with their heads of queries.
  std::optional<int64_t> heads = std::nullopt, kvHeads = std::nullopt;
};

/// Error: no weight would become smaller.
class NothingToFactor : public llvm::ErrorInfo<NothingToFactor> {
public:
  static char ID;

  NothingToFactor(std::string text, int64_t largestRank)
      : largestRank(largestRank), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  /// The largest rank whose factors are smaller than some weight; 0 if none.
  int64_t largestRank;

private:
  std::string text;
};

/// All weights of all layers, in the order q, k, v, o, gate, up, down. They
/// stay whole if factors would have no fewer parameters, or an MLP no fewer
/// neurons. Fails if the choice is invalid, or as `NothingToFactor`.
llvm::Expected<std::vector<FactoredMatrix>> planRanks(const ModelConfig &config,
                                                      const RankChoice &choice);

/// Whether a list like `RankChoice::modules` names a module.
bool isNamed(llvm::StringRef module, llvm::ArrayRef<std::string> names);

/// The shape of a model with these factors and neurons.
ModelConfig factoredConfig(const ModelConfig &config,
                           llvm::ArrayRef<FactoredMatrix> plan);

int64_t countParameters(const ModelConfig &config);

/// Reads `truncation_ranks` of a file: an object of modules and ranks, or one
/// with such an object under this key.
llvm::Expected<std::map<std::string, int64_t>> parseRanks(llvm::StringRef json);

} // namespace mlir::trn

#endif // TRN_COMPRESS_RANKPLAN_H
