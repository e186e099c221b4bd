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

/// A weight that is to share parameters with others.
struct Spectrum {
  int64_t out = 0, in = 0;
  std::vector<double> sigmas; // all, the largest one first
};

/// Ranks, multiples of `block`, with at most `parameters` in all, but at least
/// one block for each: the next block goes where it lowers the share of the
/// squares of singular values that is lost most for its parameters. 0 for a
/// weight that stays whole, for it gets so much rank that factors would be no
/// smaller.
std::vector<int64_t> allocateRanks(llvm::ArrayRef<Spectrum> weights,
                                   int64_t block, int64_t parameters);

/// Singular values of what factors would keep best, for each weight of `plan`
/// that gets some: one pass of the model. With a curvature they are those of
/// what errors cost.
llvm::Expected<std::vector<Spectrum>>
measureSpectra(const Checkpoint &checkpoint,
               llvm::ArrayRef<HostModel::Tokens> calibration, Method method,
               unsigned threads, llvm::ArrayRef<FactoredMatrix> plan,
               const Curvature *curvature, HostModel::Progress progress);

/// Weights that get one size, a rank or a number of neurons; 0 is all of them.
struct SizeGroup {
  std::vector<size_t> members; // of the plan
  std::vector<int64_t> sizes;
  /// Of each number of neurons: that of the factors of what they leave, or 0.
  std::vector<int64_t> ranks;
  /// Of each size: what it takes of a budget, and what it adds to the loss of a
  /// token, in nats.
  std::vector<double> costs = {}, losses = {};
};

/// The number of a size for each group, with the least sum of losses whose
/// costs are at most `budget`; nothing if there is none. By dynamic programming
/// over 8192 steps of the budget, in each of which only the choice with the
/// least loss goes on.
std::optional<std::vector<size_t>> chooseSizes(llvm::ArrayRef<SizeGroup> groups,
                                               double budget);

/// Each weight of `plan` that gets factors, or, if they are `byMlp` or lose
/// neurons, those of each MLP; sizes are multiples of `block` that are useful,
/// and 0. What neurons leave may have factors of `thinRank`, too: these sizes
/// come first.
std::vector<SizeGroup>
listGroups(llvm::ArrayRef<FactoredMatrix> plan, int64_t layers, int64_t block,
           bool byMlp, std::optional<int64_t> thinRank = std::nullopt);

/// Estimates the losses of groups, to second order: half of the mean of
/// e^T F e over errors e of outputs, for F as a curvature has it. Weights are
/// taken one by one, as if what comes to them were that of the whole model.
/// Factors of what neurons leave are taken to lose what those of the whole
/// weights would, and so a little too much.
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

/// Shares the parameters of what `plan` changes out again, in blocks.
llvm::Error allocatePlan(const CompressionJob &job,
                         const Checkpoint &checkpoint, int64_t block,
                         std::vector<FactoredMatrix> &plan,
                         HostModel::Progress progress);

} // namespace mlir::trn

#endif // TRN_COMPRESS_ALLOCATE_H
