//===- PrintProgram.h - Programs as text ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PROGRAM_PRINTPROGRAM_H
#define TRN_PROGRAM_PRINTPROGRAM_H

#include "trn/Program/Program.h"

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn {

/// Prints buffers and steps, one a line:
/// ```
/// program @matmul {
///   b0: hbm bf16 131072 bytes, argument 0
///   b1: sbuf bf16 128 x 1024 bytes, offset 0, slots 2
///   loop i0 < 4 {
///     alloc b1
///     load dma_copy b1[0:128, 0; 512:1] <- b0[512*i0; 128:2048, 512:1]
///   }
/// }
/// ```
/// An access shows the first element, then `size:stride` of each dim. On chip
/// the first element includes its partition, and dims the partition count. A
/// formula shows the computation, such as `silu(b1[...] * 0.5 + b2[...])`, or
/// `silu(...)` without scale and bias. A folded second result follows as
/// `reducing add`.
void print(const Program &program, llvm::raw_ostream &os);
void print(const LinearExpr &expr, llvm::raw_ostream &os);

llvm::StringRef stringify(Engine engine);
llvm::StringRef stringify(Space space);
llvm::StringRef stringify(Semantics semantics);

} // namespace mlir::trn

#endif // TRN_PROGRAM_PRINTPROGRAM_H
