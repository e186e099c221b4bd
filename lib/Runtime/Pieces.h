//===- Pieces.h - Pieces of whole tensors -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_PIECES_H
#define TRN_LIB_RUNTIME_PIECES_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Support/HostTensor.h"

namespace mlir::trn {

/// A piece of a whole tensor.
struct Piece {
  ShardAttr shard;
  int64_t number;
};

/// A copy of the piece, which zeros fill up.
llvm::Expected<HostTensor> takePiece(const HostTensor &whole,
                                     const Piece &piece);
/// Copies `part` back to where it belongs, but for what fills it up.
void putPiece(const char *part, const Piece &piece, HostTensor &whole);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_PIECES_H
