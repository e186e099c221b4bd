//===- HalvesReader.h - How halves of columns are computed ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TRANSFORMS_NORMALIZE_HALVESREADER_H
#define TRN_LIB_TRANSFORMS_NORMALIZE_HALVESREADER_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::trn {

/// A number that an element is computed of: what `op` computes of others, an
/// element of `tensor`, or a scalar that is there already.
struct Number {
  Operation *op = nullptr;
  SmallVector<unsigned, 2> operands = {};
  Value value = {};
  /// From the dimensions of what is put together to those of `value`.
  AffineMap map = {};
  /// The first column of the half of `value` that it is read of.
  std::optional<int64_t> begin = std::nullopt;
  bool readsHalves = false;

  bool isElement() const { return !op && map; }
};

/// How both halves are computed.
class HalvesReader {
public:
  /// Of `count` columns each; neighbours are even and odd columns. It knows
  /// ops of `block`.
  HalvesReader(Block *block, int64_t count, bool areNeighbours)
      : block(block), count(count), areNeighbours(areNeighbours) {}

  /// The element of `tensor` at `map`; none if it is not known how it comes.
  std::optional<unsigned> read(Value tensor, AffineMap map);

  const Number &operator[](unsigned number) const { return numbers[number]; }
  /// Whether nothing but `user` reads what is computed on the way.
  bool isAllFor(Operation *user) const;
  /// Erases what nobody reads any more.
  void erase();

private:
  static constexpr size_t maxNumbers = 64;

  std::optional<unsigned> add(Number number);
  std::optional<unsigned> readHalf(tensor::ExtractSliceOp slice, AffineMap map);
  std::optional<unsigned> readComputed(linalg::LinalgOp op, AffineMap map);
  std::optional<unsigned> compute(Value scalar, linalg::LinalgOp op,
                                  AffineMap loops);

  Block *block;
  int64_t count;
  bool areNeighbours;
  std::vector<Number> numbers;
  llvm::SetVector<Operation *> passed;
  /// What is known to read no halves.
  llvm::DenseSet<Operation *> tables;
};

} // namespace mlir::trn

#endif // TRN_LIB_TRANSFORMS_NORMALIZE_HALVESREADER_H
