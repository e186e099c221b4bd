//===- Passes.h - Models on several cores -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_PARTITION_PASSES_H
#define TRN_TRANSFORMS_PARTITION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir::trn {

/// The split of a weight's factors over cores.
enum class PartitionScheme { Column, Gather, Reduce };

/// `column`, `gather`, `reduce`.
StringRef stringify(PartitionScheme scheme);

/// Spellings of options.
inline auto partitionSchemeValues() {
  return llvm::cl::values(
      clEnumValN(PartitionScheme::Column, "column",
                 "their outer dimensions, in one all-reduce an MLP"),
      clEnumValN(PartitionScheme::Gather, "gather",
                 "outer dimensions and ranks; ranks are gathered"),
      clEnumValN(PartitionScheme::Reduce, "reduce",
                 "ranks; what they are summed to is reduced"));
}

#define GEN_PASS_DECL
#include "trn/Transforms/Partition/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Transforms/Partition/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_PARTITION_PASSES_H
