//===- RankPlan.h - Which weights get factors, of which rank ----*- C++ -*-===//
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

/// Modelled milliseconds of the kernels of a weight, for as many rows of X.
struct ModelledTime {
  int64_t rows = 0;
  double dense = 0, factored = 0;

  bool isSlower() const { return factored > dense; }
};

/// One weight of a layer, and what becomes of it: two factors, or one weight
/// that only some neurons of its MLP have left, or two factors of that.
struct FactoredMatrix {
  std::string module; // model.layers.0.mlp.gate_proj
  int64_t out = 0, in = 0;
  int64_t rank = 0; // 0: it is one weight
  /// Why it stays as it is, or empty.
  std::string keptDense = {};
  /// What its factoring found, for the manifest: weight_error, output_error and
  /// more.
  llvm::json::Object figures = {};
  /// What its factors bring in time, if that is known.
  std::vector<ModelledTime> times = {};
  /// Of the MLP, those that stay, or of attention the elements of heads; 0:
  /// all.
  int64_t neurons = 0;
  /// It has one, which loses what the outputs do.
  bool hasBias = false;
  /// It was not asked for, and is fitted anew all the same.
  bool isRefitted = false;

  bool isChanged() const { return keptDense.empty() || isRefitted; }
  bool isFactored() const { return keptDense.empty() && rank; }
  bool isThin() const { return keptDense.empty() && neurons; }
  /// Whether its inputs are the neurons of the MLP, not its outputs.
  bool readsNeurons() const {
    return llvm::StringRef(module).ends_with(".down_proj");
  }
  /// The same, or elements of heads.
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

/// `keptDense` of a weight that nobody asked to factor.
inline constexpr llvm::StringLiteral notAsked = "not asked";

/// Which weights get factors, and of which rank.
struct RankChoice {
  /// Groups (`mlp`, `attention`) or ends of the names of modules (`gate_proj`,
  /// `layers.3.mlp.up_proj`).
  std::vector<std::string> modules = {"mlp"};
  /// Regular expressions: modules in whose name one matches stay whole.
  std::vector<std::string> ignored = {};
  /// Numbers of layers, as `0,3-9`, or empty for all.
  std::string layers = {};

  /// The rank comes from the first of these that is given: names of modules
  /// with their ranks (no others get factors); one for all; the share of the
  /// parameters of each weight to remove; the share of those of the model.
  std::map<std::string, int64_t> ranks = {};
  std::optional<int64_t> rank = std::nullopt;
  std::optional<double> ratio = std::nullopt, modelRatio = std::nullopt;
  /// Ranks that come from a share are multiples of `block`, at most `alpha`
  /// blocks below the share.
  int64_t block = 0;
  double alpha = 0.5;

  /// Whole neurons of MLPs go, with shares of their parameters, or so many stay
  /// in each MLP, or in that of each layer. With a rank, the weights that they
  /// leave get factors where these have fewer parameters.
  bool cutsNeurons = false;
  /// Weights of attention that are not asked for are fitted anew.
  bool refitsAttention = false;
  std::vector<int64_t> neurons = {};
  /// So many heads of queries and of keys stay in all layers; without them, a
  /// share of the heads of keys with those of queries that read them.
  std::optional<int64_t> heads = std::nullopt, kvHeads = std::nullopt;
};

/// That no weight would become smaller.
class NothingToFactor : public llvm::ErrorInfo<NothingToFactor> {
public:
  static char ID;

  NothingToFactor(std::string text, int64_t largestRank)
      : largestRank(largestRank), text(std::move(text)) {}
  void log(llvm::raw_ostream &os) const override { os << text; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }

  /// The largest rank whose factors are smaller than some weight; 0: none are.
  int64_t largestRank;

private:
  std::string text;
};

/// All weights of all layers, in the order q, k, v, o, gate, up, down. They
/// stay whole where factors would have no fewer parameters, or an MLP no fewer
/// neurons. Fails with what is wrong with the choice, or as `NothingToFactor`.
llvm::Expected<std::vector<FactoredMatrix>> planRanks(const ModelConfig &config,
                                                      const RankChoice &choice);

/// Whether a module is one that a list like `RankChoice::modules` names.
bool isNamed(llvm::StringRef module, llvm::ArrayRef<std::string> names);

/// The shape of a model of these factors and neurons.
ModelConfig factoredConfig(const ModelConfig &config,
                           llvm::ArrayRef<FactoredMatrix> plan);

int64_t countParameters(const ModelConfig &config);

/// What `truncation_ranks` of a file has: an object of modules and ranks, or
/// one with such an object under this key.
llvm::Expected<std::map<std::string, int64_t>> parseRanks(llvm::StringRef json);

} // namespace mlir::trn

#endif // TRN_COMPRESS_RANKPLAN_H
