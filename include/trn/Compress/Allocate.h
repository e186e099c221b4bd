//===- Allocate.h - Ranks from singular values ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_ALLOCATE_H
#define TRN_COMPRESS_ALLOCATE_H

#include "trn/Compress/CompressFolder.h"

namespace mlir::trn {

class Curvature;

/// A weight that shares parameters with others.
struct Spectrum {
  int64_t out = 0, in = 0;
  std::vector<double> sigmas; // all, the largest one first
};

/// Ranks, multiples of `block`, with at most `parameters` in all, but at least
/// one block each. The next block goes where it saves the largest share of
/// squared singular values per parameter. The rank is 0 for a weight that stays
/// whole because its factors would be no smaller.
std::vector<int64_t> allocateRanks(llvm::ArrayRef<Spectrum> weights,
                                   int64_t block, int64_t parameters);

/// Singular values of what factors preserve best, for each weight of `plan`
/// that gets some, from one pass of the model. With a curvature they weigh
/// errors by their cost.
llvm::Expected<std::vector<Spectrum>>
measureSpectra(const Checkpoint &checkpoint,
               llvm::ArrayRef<HostModel::Tokens> calibration, Method method,
               unsigned threads, llvm::ArrayRef<FactoredMatrix> plan,
               const Curvature *curvature, HostModel::Progress progress);

/// Weights with a common size: a rank or a number of neurons; 0 is all of them.
struct SizeGroup {
  std::vector<size_t> members; // of the plan
  std::vector<int64_t> sizes;
  /// By number of neurons: the rank of the remaining weight's factors, or 0.
  std::vector<int64_t> ranks;
  /// By size: its share of a budget, and the increase of the loss of a token,
  /// in nats.
  std::vector<double> costs = {}, losses = {};
};

/// The index of a size for each group, with the least sum of losses at costs of
/// at most `budget`; nothing if there is none. Dynamic programming over 8192
/// steps of the budget; each keeps only the choice with the least loss.
std::optional<std::vector<size_t>> chooseSizes(llvm::ArrayRef<SizeGroup> groups,
                                               double budget);

/// One group for each weight of `plan` that gets factors or, if `byMlp` or if
/// neurons go, one for each MLP. Sizes are useful multiples of `block`, and 0.
/// With `thinRank`, the remaining weights may have factors, too: these sizes
/// come first.
std::vector<SizeGroup>
listGroups(llvm::ArrayRef<FactoredMatrix> plan, int64_t layers, int64_t block,
           bool byMlp, std::optional<int64_t> thinRank = std::nullopt);

/// Estimates the losses of groups, to second order: half the mean of e^T F e
/// over errors e of outputs, with the curvature F. Weights are taken one by
/// one, as if their inputs were those of the whole model. Factors of weights
/// that lose neurons count with the loss of the whole weights' factors, a
/// little too much.
llvm::Error measureLosses(const CompressionJob &job,
                          const Checkpoint &checkpoint,
                          llvm::ArrayRef<FactoredMatrix> plan,
                          std::vector<SizeGroup> &groups,
                          HostModel::Progress progress);

/// Gives a weight a size of its group.
void setSize(FactoredMatrix &matrix, const SizeGroup &group, size_t number);
inline constexpr llvm::StringLiteral keepsAll =
    "its share of what is left is all that it has";
/// Gives members the sizes that were chosen.
void placeSizes(llvm::ArrayRef<SizeGroup> groups, llvm::ArrayRef<size_t> chosen,
                std::vector<FactoredMatrix> &plan);

/// Distributes the parameters of changed weights in `plan` again, in blocks.
llvm::Error allocatePlan(const CompressionJob &job,
                         const Checkpoint &checkpoint, int64_t block,
                         std::vector<FactoredMatrix> &plan,
                         HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_ALLOCATE_H
