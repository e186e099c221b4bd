//===- Neurons.h - Which neurons of an MLP stay -------------------*- C++
//-*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_NEURONS_H
#define TRN_COMPRESS_NEURONS_H

#include "trn/Compress/Factor.h"

namespace mlir::trn {

/// What the neurons that stay have most of:
/// - Greedy: one after the other, of the products with what the outputs of the
///   MLP still need when `down` is fitted to those that were chosen before
/// - Norm: of the mean square of what each alone adds to the outputs
enum class Scores : uint8_t { Greedy, Norm };
llvm::StringRef stringify(Scores scores);

/// The numbers of the `count` neurons that stay of an MLP, those that matter
/// most first: of the neurons of `down` [out, neurons], whose inputs and wanted
/// outputs `statistics` knows, pulled towards it by `shrink` as `fitFactors`
/// is. They do not depend on the number of threads.
std::vector<int64_t> rankNeurons(llvm::ArrayRef<float> down, int64_t out,
                                 int64_t neurons, int64_t count, Scores scores,
                                 double shrink, const FitStatistics &statistics,
                                 unsigned threads);

/// The same in the order of their numbers.
std::vector<int64_t> chooseNeurons(llvm::ArrayRef<float> down, int64_t out,
                                   int64_t neurons, int64_t count,
                                   Scores scores, double shrink,
                                   const FitStatistics &statistics,
                                   unsigned threads);

/// What is known of these inputs alone.
FitStatistics selectInputs(const FitStatistics &statistics, int64_t out,
                           llvm::ArrayRef<int64_t> kept);

/// These rows of a matrix, or these columns.
std::vector<float> selectRows(llvm::ArrayRef<float> values, int64_t columns,
                              llvm::ArrayRef<int64_t> kept);
std::vector<float> selectColumns(llvm::ArrayRef<float> values, int64_t columns,
                                 llvm::ArrayRef<int64_t> kept);

/// A weight in one piece, as a fit found it.
struct FittedWeight {
  std::vector<float> weight; // [out, in]
  /// Norms of what is lost, relative to all: of what the weight was, and of the
  /// outputs.
  double outputError = 0;
  RootForm root = RootForm::Diagonal;
  double jitter = 0, condition = 0;
};

/// What `fitFactors` finds of full rank.
FittedWeight fitWeight(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                       double shrink, FitStatistics statistics,
                       unsigned threads);

/// The same where y is W h.
FittedWeight fitMappedWeight(llvm::ArrayRef<float> weight, int64_t out,
                             int64_t in, double shrink,
                             const MappedStatistics &statistics,
                             unsigned threads);

} // namespace mlir::trn

#endif // TRN_COMPRESS_NEURONS_H
