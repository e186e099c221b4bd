//===- ModelParts.h - Time by parts of a model ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_MODELPARTS_H
#define TRN_RUN_MODELPARTS_H

#include "trn/Report/Report.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::trn {

/// The role of kernels in a language model.
enum class ModelPart : uint8_t {
  Mlp,         // gate, up and down
  Projections, // queries, keys, values, output of attention
  Attention,   // products of queries, keys and values
  LmHead,
  NormsRope,   // no products except with constants
  Collectives, // common steps of cores
  /// Weights with other names, or untraceable calls.
  Unknown,
  /// Starts of launches, outside kernels.
  Overhead,
};
constexpr size_t numModelParts = 8;

/// `mlp`, `projections` and so on.
StringRef stringify(ModelPart part);

/// Picoseconds by `ModelPart`.
using TimeSplit = std::array<int64_t, numModelParts>;

/// The part of a weight by its Hugging Face name, dense or a factor.
ModelPart partOf(StringRef weight);

/// Splits the latency of `report` by parts of the model. `entry` is the model's
/// compiled function; the parts add up to the latency.
///
/// A call counts for the part whose matrices its kernel reads, also if the host
/// rearranges them on loading. With several parts, their bytes decide the
/// shares. A kernel that reads none is attention if it multiplies computed
/// values, else norms and rotary positions. Vectors (gains and biases) do not
/// count.
///
/// Calls are followed if all are in the body of `entry` itself. With `likes`,
/// call n of the report is like call likes[n] there.
TimeSplit splitTime(func::FuncOp entry, const Report &report,
                    ArrayRef<size_t> likes = {});

} // namespace mlir::trn

#endif // TRN_RUN_MODELPARTS_H
