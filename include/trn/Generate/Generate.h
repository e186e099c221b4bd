//===- Generate.h - Build linalg modules from sizes -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_GENERATE_GENERATE_H
#define TRN_GENERATE_GENERATE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "trn/Support/FloatTypes.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>

namespace mlir::trn {

/// A product `X[m, k] W[k, n]`, or, with a rank, a chain
/// `X[m, k] U[k, rank] V[rank, n]`.
struct ChainSpec {
  int64_t m = 0;
  int64_t k = 0;
  std::optional<int64_t> rank;
  int64_t n = 0;
  /// The type of the operands, of the intermediate and of the result; products
  /// accumulate in f32.
  ElementType type = ElementType::BF16;
  /// X is given as a k x m tensor.
  bool transposedInput = false;
  /// The result is an n x m tensor.
  bool transposedOutput = false;
};

/// Fails with the size that is not positive or too large.
llvm::Error checkSpec(const ChainSpec &spec);

/// Builds a module whose public function `@main` computes the chain with
/// `linalg.matmul`. Fails where `checkSpec` does.
llvm::Expected<OwningOpRef<ModuleOp>> generateChain(MLIRContext *context,
                                                    const ChainSpec &spec);

} // namespace mlir::trn

#endif // TRN_GENERATE_GENERATE_H
