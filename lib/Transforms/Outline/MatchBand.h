//===- MatchBand.h - Masks that are bands -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_OUTLINE_MATCHBAND_H
#define TRN_LIB_TRANSFORMS_OUTLINE_MATCHBAND_H

#include "trn/Planning/Matrix.h"

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"

namespace mlir::trn {

struct MatchedBand {
  planning::Band band;
  /// Minus infinity hides what is outside. If it is a number, what another mask
  /// hides may be less.
  bool isInfinite = false;
};

/// The band that `mask`, a tensor of rows x columns, is: it is computed from
/// indices alone, in one op or several, once or for several groups of rows, and
/// is zero or infinity where conditions on `column - row` hold, minus infinity
/// or the least number elsewhere. Every row has a number of the band, unless
/// all others are infinite.
std::optional<MatchedBand> matchBand(Value mask);

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_OUTLINE_MATCHBAND_H
