//===- Formula.h - The formula of an instruction ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_FORMULA_H
#define TRN_PROGRAM_FORMULA_H

#include "trn/Machine/Function.h"

#include "llvm/ADT/SmallVector.h"

namespace mlir::trn {

/// Source of a value: the next of an instruction's reads, or a constant in
/// `parameters`.
enum class Source : uint8_t { Constant, Read };

/// One step of a formula, in f32: `function(x * second + third)` of one value
/// (the engines' scale and bias), `function(x, second)` of two,
/// `function(x, second, third)` of three.
struct FormulaStep {
  Function function;
  Source second = Source::Constant, third = Source::Constant;
  /// The operands are swapped: `function(second, x)`.
  bool reversed = false;

  int64_t numReads() const {
    return (second == Source::Read) + (third == Source::Read);
  }
  /// A function of one value has places for a scale and a bias, used or not.
  int64_t numConstants() const {
    int64_t count = arity(function);
    return count == 1 ? 2 : count - 1 - numReads();
  }
  bool operator==(const FormulaStep &other) const {
    return function == other.function && second == other.second &&
           third == other.third && reversed == other.reversed;
  }
};

/// A chain of steps. x is a value that an instruction reads, then the result of
/// the previous step. Reads and constants are in the order of steps. Without
/// steps the result is x.
using Formula = llvm::SmallVector<FormulaStep, 2>;

/// Reduces many values to one, in f32.
struct Fold {
  Function function;
  /// Starts with the value of the last read instead of the first value.
  bool accumulates = false;

  bool operator==(const Fold &other) const {
    return function == other.function && accumulates == other.accumulates;
  }
};

/// Functions of all values of a partition.
enum class PartitionFunction : uint8_t {
  /// Count, mean and sum of squared distances from it, of the elements of even
  /// index and of those of odd index.
  BnStats,
  /// Mean and variance of the union of such triples.
  BnAggregate,
  /// The eight largest, in descending order; a NaN is larger than any number.
  Max8,
  /// The first place of each of eight values, the second read; equal values
  /// take successive places.
  FindIndex8,
  /// The values, with the first occurrence of each of eight, the second read,
  /// replaced by parameters[0]. Starts with the last of the eight; writes[1],
  /// if any, has the places.
  MatchReplace8,
  /// The values at the places that the second read has.
  Gather,
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_FORMULA_H
