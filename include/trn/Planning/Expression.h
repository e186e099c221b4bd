//===- Expression.h - Element-wise expressions ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_EXPRESSION_H
#define TRN_PLANNING_EXPRESSION_H

#include "trn/Machine/Function.h"
#include "trn/Support/FloatTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include <tuple>
#include <vector>

namespace mlir::trn::planning {

/// Types with a `key` are compared and hashed by it.
template <typename T>
auto operator==(const T &one, const T &other)
    -> decltype(one.key() == other.key()) {
  return one.key() == other.key();
}
template <typename T>
auto hash_value(const T &value) -> decltype(llvm::hash_value(value.key())) {
  return llvm::hash_value(value.key());
}

/// One value of an expression.
struct Value {
  enum class Kind : uint8_t {
    Sum,      // of products, in f32
    Matrix,   // an element; broadcast along dims that it lacks, repeated along
              // columns of which it has a fraction
    Constant, // finite
    Apply,    // a function of values, computed in f32
  };
  Kind kind = Kind::Sum;
  unsigned number = 0; // of the sum, or of the matrix
  float constant = 0;
  Function function = Function::Copy;
  llvm::SmallVector<unsigned, 2> arguments = {}; // values before it
  /// The type to which the value of a function is rounded.
  ElementType type = ElementType::F32;
  /// Rotary embeddings: if not 0, columns of a matrix change places by pairs of
  /// so many. Those that come from the right are negated: (a, b) is (-b, a).
  int64_t rotation = 0;

  bool is(Function which) const {
    return kind == Kind::Apply && function == which && type == ElementType::F32;
  }
  auto key() const {
    return std::tuple(kind, number, llvm::bit_cast<uint32_t>(constant),
                      function, llvm::ArrayRef(arguments), type, rotation);
  }
};

/// Values in the order of computation; the last one is the result. Without
/// values, the result is the first sum.
struct Expression {
  std::vector<Value> values;

  /// The most values, each counted as often as it is used.
  static constexpr size_t maxSize = 256;

  /// Whether the result is the first sum.
  bool isPlain() const { return values.empty(); }
  /// The number of a value equal to `value`, which is added if there is none.
  unsigned add(const Value &value);
  unsigned addSum(unsigned number) { return add({Value::Kind::Sum, number}); }
  unsigned addMatrix(unsigned number, int64_t rotation = 0) {
    Value matrix{Value::Kind::Matrix, number};
    matrix.rotation = rotation;
    return add(matrix);
  }
  unsigned addConstant(float constant) {
    return add({Value::Kind::Constant, 0, constant});
  }
  unsigned apply(Function function, llvm::ArrayRef<unsigned> arguments,
                 ElementType type = ElementType::F32);
  /// Rounds `value` to `type`. A function among the values after the first
  /// `before` rounds its own result.
  unsigned round(unsigned value, ElementType type, size_t before);
  /// The values from which `root` is computed, numbered as after printing and
  /// parsing. The result is rounded to `type`. `sums` receives the sums in use,
  /// in the order of their new numbers.
  Expression canonical(unsigned root, ElementType type,
                       llvm::SmallVectorImpl<unsigned> &sums) const;
  /// The number of values if each is written as often as it is used.
  size_t writtenSize(unsigned root) const;
  /// The matrices that it reads, in the order of first use.
  llvm::SmallVector<unsigned, 2> matrices() const;
  auto key() const { return llvm::ArrayRef(values); }
};

} // namespace mlir::trn::planning

#endif // TRN_PLANNING_EXPRESSION_H
