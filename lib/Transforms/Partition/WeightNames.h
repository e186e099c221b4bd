//===- WeightNames.h - Weights by their names in checkpoints ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_PARTITION_WEIGHTNAMES_H
#define TRN_LIB_TRANSFORMS_PARTITION_WEIGHTNAMES_H

#include "trn/Transforms/Partition/Passes.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::trn {

/// `model.layers.0.mlp.gate_v_proj.weight`: a part of one matrix of a layer.
struct WeightName {
  enum class Part { Dense, First, Second, Bias };

  /// `gate`, or `lm_head`.
  StringRef matrix;
  Part part = Part::Dense;
  /// It has the scales of the part's outputs.
  bool isScale = false;

  static std::optional<WeightName> parse(StringRef name);
  bool hasHeads() const;
  bool isOfMlp() const;
  /// Whether it shares what the layer widens to, not what it narrows from.
  bool isWidening() const { return matrix != "o" && matrix != "down"; }
};

/// The dimension that cores share of a weight.
enum class SharedDim { None, Outputs, Inputs };

SharedDim findSharedDim(const WeightName &name, PartitionScheme scheme);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_PARTITION_WEIGHTNAMES_H
