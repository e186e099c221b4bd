//===- Neurons.h - The choice of neurons in an MLP --------------*- C++ -*-===//
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

/// The criterion for neurons that stay:
/// - Greedy: one by one, the neuron most correlated with what the outputs still
///   lack after fitting `down` to those chosen before
/// - Norm: the mean square of each neuron's own contribution to the outputs
enum class Scores : uint8_t { Greedy, Norm };
llvm::StringRef stringify(Scores scores);

/// The numbers of the `count` neurons of an MLP that stay, the most important
/// first. `down` is [out, neurons]; `statistics` are of its inputs and wanted
/// outputs. `shrink` pulls fits towards `down` as in `fitFactors`. The result
/// does not depend on the number of threads.
std::vector<int64_t> rankNeurons(llvm::ArrayRef<float> down, int64_t out,
                                 int64_t neurons, int64_t count, Scores scores,
                                 double shrink, const FitStatistics &statistics,
                                 unsigned threads);

/// The same in ascending order.
std::vector<int64_t> chooseNeurons(llvm::ArrayRef<float> down, int64_t out,
                                   int64_t neurons, int64_t count,
                                   Scores scores, double shrink,
                                   const FitStatistics &statistics,
                                   unsigned threads);

/// The statistics of these inputs alone.
FitStatistics selectInputs(const FitStatistics &statistics, int64_t out,
                           llvm::ArrayRef<int64_t> kept);

/// Selected rows, or columns, of a matrix.
std::vector<float> selectRows(llvm::ArrayRef<float> values, int64_t columns,
                              llvm::ArrayRef<int64_t> kept);
std::vector<float> selectColumns(llvm::ArrayRef<float> values, int64_t columns,
                                 llvm::ArrayRef<int64_t> kept);

/// A whole weight from a fit.
struct FittedWeight {
  std::vector<float> weight; // [out, in]
  /// The norm of the outputs' loss, relative to all outputs.
  double outputError = 0;
  RootForm root = RootForm::Diagonal;
  double jitter = 0, condition = 0;
};

/// `fitFactors` with full rank.
FittedWeight fitWeight(llvm::ArrayRef<float> weight, int64_t out, int64_t in,
                       double shrink, FitStatistics statistics,
                       unsigned threads);

/// The same for these inputs of `statistics` alone; `weight` has no others.
FittedWeight fitKeptWeight(llvm::ArrayRef<float> weight, int64_t out,
                           llvm::ArrayRef<int64_t> kept, double shrink,
                           const FitStatistics &statistics, unsigned threads);

/// The same as `fitWeight` if y is W h.
FittedWeight fitMappedWeight(llvm::ArrayRef<float> weight, int64_t out,
                             int64_t in, double shrink,
                             const MappedStatistics &statistics,
                             unsigned threads);

} // namespace mlir::trn

#endif // TRN_COMPRESS_NEURONS_H
