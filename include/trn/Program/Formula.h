//===- Formula.h - What an instruction computes -----------------*- C++ -*-===//
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

/// Where a value comes from: the next one of an instruction's reads, or a
/// constant in `parameters`.
enum class Source : uint8_t { Constant, Read };

/// One step of a formula, in f32: `function(x * second + third)` of one value
/// (the engines' scale and bias), `function(x, second)` of two,
/// `function(x, second, third)` of three.
struct FormulaStep {
  Function function;
  Source second = Source::Constant, third = Source::Constant;
  /// `function(second, x)`.
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

/// A chain of steps: x is a value that an instruction reads, and then what the
/// step before yields. Reads and constants are in the order of the steps.
/// Without a step it is x.
using Formula = llvm::SmallVector<FormulaStep, 2>;

/// Many values into one, in f32.
struct Fold {
  Function function;
  /// On top of what the last read holds, instead of starting with the first
  /// value.
  bool accumulates = false;

  bool operator==(const Fold &other) const {
    return function == other.function && accumulates == other.accumulates;
  }
};

/// What all values of a partition yield together.
enum class PartitionFunction : uint8_t {
  /// Count, mean and sum of squared distances from it, of the elements of even
  /// index and of those of odd index.
  BnStats,
  /// Mean and variance of what such triples tell of.
  BnAggregate,
  /// The largest eight, from the largest on; a NaN is larger than any number.
  Max8,
  /// Where each of eight values, the second read, is found first; those that
  /// are equal take one place after the other.
  FindIndex8,
  /// The values, but parameters[0] where each of eight, the second read, is
  /// found first, from the last of them on; writes[1], if any, has the places.
  MatchReplace8,
};

} // namespace mlir::trn

#endif // TRN_PROGRAM_FORMULA_H
