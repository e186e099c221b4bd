//===- Pieces.cpp - Pieces of whole tensors -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Pieces.h"

#include <cstring>

using namespace mlir;
using namespace mlir::trn;

/// Calls `visit(whole, part, bytes)` for each run of bytes that both have, with
/// where it begins in them.
static void forEachRun(ArrayRef<int64_t> wholeShape, int64_t elementBytes,
                       const Piece &piece,
                       function_ref<void(int64_t, int64_t, int64_t)> visit) {
  const int64_t dim = piece.shard.getDim();
  const int64_t size = wholeShape[dim];
  const int64_t length = piece.shard.getExtent();
  const int64_t begin = std::min(piece.number * length, size);
  const int64_t present = std::min(length, size - begin);
  const int64_t outer = ShapedType::getNumElements(wholeShape.take_front(dim));
  const int64_t inner =
      elementBytes * ShapedType::getNumElements(wholeShape.drop_front(dim + 1));
  if (present == 0)
    return;
  for (int64_t row = 0; row < outer; ++row)
    visit((row * size + begin) * inner, row * length * inner, present * inner);
}

llvm::Expected<HostTensor> mlir::trn::takePiece(const HostTensor &whole,
                                                const Piece &piece) {
  SmallVector<int64_t> shape(whole.getShape());
  shape[piece.shard.getDim()] = piece.shard.getExtent();
  llvm::Expected<HostTensor> part = HostTensor::create(whole.getType(), shape);
  if (!part)
    return part;
  part->fillZero();
  auto *to = static_cast<char *>(part->data());
  const auto *from = static_cast<const char *>(whole.data());
  forEachRun(whole.getShape(), byteSize(whole.getType()), piece,
             [&](int64_t wholeAt, int64_t partAt, int64_t bytes) {
               std::memcpy(to + partAt, from + wholeAt, bytes);
             });
  return part;
}

void mlir::trn::putPiece(const char *part, const Piece &piece,
                         HostTensor &whole) {
  auto *to = static_cast<char *>(whole.data());
  forEachRun(whole.getShape(), byteSize(whole.getType()), piece,
             [&](int64_t wholeAt, int64_t partAt, int64_t bytes) {
               std::memcpy(to + wholeAt, part + partAt, bytes);
             });
}
