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

/// Options for drawing a token, applied in Hugging Face's order.
struct SamplerOptions {
  /// Divides logits; 0 takes the most probable token.
  double temperature = 0;
  /// Keeps only the most probable tokens; 0 keeps all.
  int64_t topK = 0;
  /// Keeps only the fewest of these whose probabilities reach this sum.
  double topP = 1;
  uint64_t seed = 0;

  /// Fails with the option that is out of range, and the range.
  llvm::Error check() const;
};

/// Draws tokens. Equal logits, options and seeds give equal tokens on all
/// computers.
class Sampler {
public:
  /// The options must pass their check.
  explicit Sampler(const SamplerOptions &options)
      : options(options), random(options.seed) {}

  /// One token by its logits, all of them finite. Among equals the first comes
  /// before the others.
  int32_t draw(llvm::ArrayRef<float> logits);

private:
  /// A remaining token, and its probability times a common factor.
  struct Candidate {
    int32_t token;
    double weight;

    /// Less probable, or equal and later.
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
