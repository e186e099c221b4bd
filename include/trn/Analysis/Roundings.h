//===- Roundings.h - Where values lose digits -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel has to round as the code that it replaces does. This is compared
// path by path, from each input to the result, with no knowledge of how kernels
// are found or written.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_ROUNDINGS_H
#define TRN_ANALYSIS_ROUNDINGS_H

#include "mlir/IR/Value.h"
#include "mlir/IR/ValueRange.h"
#include <optional>
#include <string>

namespace mlir::trn {

/// A step at which a value loses digits: a conversion to a shorter type, or
/// arithmetic in one. Arithmetic in f32 and wider types counts as exact; one op
/// on tensors that computes in a shorter type rounds to it once, however many
/// terms it adds up.
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

/// How one computation differs from another: a rounding on the way from an
/// input, given by its number, that the other one lacks. Without a rounding,
/// one of the two does not depend on the input, or has too many paths to tell
/// them apart.
struct RoundingDifference {
  enum Kind { Dropped, Added, Unrelated, TooMany } kind;
  unsigned input;
  std::optional<Rounding> rounding;
};

/// Compares how `source` and `kernel`, whose inputs correspond, round on all
/// paths from inputs to result; returns a difference, dropped ones first.
std::optional<RoundingDifference> compareRoundings(const Computation &source,
                                                   const Computation &kernel);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_ROUNDINGS_H
