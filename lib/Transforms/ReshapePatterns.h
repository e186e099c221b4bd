//===- ReshapePatterns.h - Reshapes in other words --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_RESHAPEPATTERNS_H
#define TRN_LIB_TRANSFORMS_RESHAPEPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::trn {

/// Writes static reshapes as `tensor.collapse_shape` and `tensor.expand_shape`:
/// `tensor.reshape`, and slices of whole tensors that drop or add dimensions.
void populateReshapePatterns(RewritePatternSet &patterns);

/// Elementwise generics that read the result of a linalg op with additional
/// dimensions of one index run without them.
void populateDropUnitPatterns(RewritePatternSet &patterns);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_RESHAPEPATTERNS_H
