//===- Sampler.h - Tokens drawn by their logits -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_SAMPLER_H
#define TRN_MODEL_SAMPLER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <random>

namespace mlir::trn {

/// How a token is drawn, in the order of Hugging Face.
struct SamplerOptions {
  /// Logits are divided by it; with 0 the most probable token is taken.
  double temperature = 0;
  /// Only so many tokens are left, the most probable ones; with 0 all.
  int64_t topK = 0;
  /// Of these only the fewest whose probabilities add up to this share.
  double topP = 1;
  uint64_t seed = 0;

  /// Fails with what is out of range, and the range.
  llvm::Error check() const;
};

/// Draws tokens. The same logits, options and seeds give the same tokens on all
/// computers.
class Sampler {
public:
  /// With options that pass their check.
  explicit Sampler(const SamplerOptions &options)
      : options(options), random(options.seed) {}

  /// One of the tokens of which there are logits, all of them finite. Of equals
  /// the first goes before the others.
  int32_t draw(llvm::ArrayRef<float> logits);

private:
  /// A token that is left, and its probability times a factor that all have.
  struct Candidate {
    int32_t token;
    double weight;

    /// Less probable, or later.
    bool operator<(const Candidate &other) const {
      return weight != other.weight ? weight < other.weight
                                    : token > other.token;
    }
  };
  double sumWeights() const;
  void keepTopK();
  void keepTopP();

  SamplerOptions options;
  std::mt19937_64 random;
  std::vector<Candidate> candidates;
};

} // namespace mlir::trn

#endif // TRN_MODEL_SAMPLER_H
