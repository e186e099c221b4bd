//===- Roundings.h - Roundings on the way to a result -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel must round as the code that it replaces. This compares them path by
// path, from each input to the result. It knows nothing about how kernels are
// found or written.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_ROUNDINGS_H
#define TRN_ANALYSIS_ROUNDINGS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include <optional>
#include <string>

namespace mlir::trn {

/// A step that loses digits: a conversion to a shorter type, or arithmetic in
/// one. Arithmetic in f32 and wider types counts as exact. An op on tensors in
/// a shorter type rounds once, however many terms it adds.
struct Rounding {
  /// `bf16 (to_nearest_even)`, or `i8 (arith.fptosi)`.
  std::string what;
  Location loc;
};

/// One way to compute a value from inputs.
struct Computation {
  Value result;
  ValueRange inputs;
};

/// A difference between two computations: a rounding of an input, given by its
/// number, that the other one lacks. Without `rounding`, either only one of the
/// two depends on the input, or there are too many paths to compare.
struct RoundingDifference {
  enum Kind { Dropped, Added, Unrelated, TooMany } kind;
  unsigned input;
  std::optional<Rounding> rounding;
};

/// Compares the roundings of `source` and `kernel`, whose inputs correspond, on
/// all paths from inputs to result. Returns a difference, dropped roundings
/// first.
std::optional<RoundingDifference> compareRoundings(const Computation &source,
                                                   const Computation &kernel);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_ROUNDINGS_H
