//===- ModelledTimes.h - What factors bring in time -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_MODELLEDTIMES_H
#define TRN_TOOLS_TRN_COMPRESS_MODELLEDTIMES_H

#include "trn/Compress/RankPlan.h"
#include "trn/Machine/Machine.h"
#include "trn/Model/HostModel.h"
#include "trn/Support/FloatTypes.h"

namespace mlir::trn {

/// What the kernels of weights are compiled for.
struct TimedKernels {
  Machine machine;
  /// If none is asked for, that of the weights, or bf16 if that is f32.
  std::optional<ElementType> type = std::nullopt;
  /// What the weights become, if they are stored in 8 bits.
  std::optional<ElementType> weightType = std::nullopt;
  std::vector<int64_t> rows = {}; // of X

  void chooseType(const Checkpoint &checkpoint);
  llvm::json::Object toJSON() const;
};

/// Numbers as in `1,512`; none if there is no text.
llvm::Expected<std::vector<int64_t>> parseRows(llvm::StringRef text);

/// Compiles the kernels of all weights of `plan` that change, those of whole
/// weights and those of what they become, and notes their modelled times.
/// Returns what could not be compiled, and why.
std::vector<std::string> modelTimes(std::vector<FactoredMatrix> &plan,
                                    const TimedKernels &kernels,
                                    HostModel::Progress progress);

/// Keeps weights dense whose factors are slower for every number of rows. Fails
/// if none is left with factors.
llvm::Error requireFaster(std::vector<FactoredMatrix> &plan);

/// `, modelled 0.0223 -> 0.0219 ms`, for each number of rows.
std::string describeTimes(const FactoredMatrix &matrix);
/// Their sums over all weights that change; nothing if there are none.
std::string summarizeTimes(llvm::ArrayRef<FactoredMatrix> plan,
                           const TimedKernels &kernels);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_MODELLEDTIMES_H
