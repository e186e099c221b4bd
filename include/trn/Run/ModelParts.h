//===- ModelParts.h - What of a model takes time ----------------*- C++ -*-===//
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

/// What kernels of a language model compute.
enum class ModelPart : uint8_t {
  Mlp,         // gate, up and down
  Projections, // queries, keys, values and what attention gives
  Attention,   // products of queries, keys and values
  LmHead,
  NormsRope,   // no products but with constants
  Collectives, // what cores do together
  /// Weights of other names, or calls that cannot be followed.
  Unknown,
  /// Starting launches; no kernel's part.
  Overhead,
};
constexpr size_t numModelParts = 8;

/// `mlp`, `projections` and so on.
StringRef stringify(ModelPart part);

/// Picoseconds by `ModelPart`.
using TimeSplit = std::array<int64_t, numModelParts>;

/// The part of a weight of Hugging Face's name, dense or a factor.
ModelPart partOf(StringRef weight);

/// Splits the latency of `report` between the parts of the model that `entry`,
/// which is compiled, is of: the sum of the split is the latency.
///
/// A call counts for the part whose matrices its kernel reads, also in the
/// order in which the host lays them out when it loads them. Between several
/// parts its time is split as the bytes of these matrices are. A kernel that
/// reads none is attention if it multiplies what was computed, else norms and
/// rotary positions. Vectors, that is gains and biases, do not count.
///
/// Calls are followed where all are in the body of `entry` itself.
TimeSplit splitTime(func::FuncOp entry, const Report &report);

} // namespace mlir::trn

#endif // TRN_RUN_MODELPARTS_H
