//===- Snapshot.h - Buffer contents in mid-run ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_SNAPSHOT_H
#define TRN_INTERPRETER_SNAPSHOT_H

#include "trn/Program/Program.h"

namespace mlir::trn {

/// Contents of a buffer after its last write in one iteration of the loops
/// around its writes. A buffer that is never written is kept at the end.
struct Snapshot {
  /// Index into `Program::buffers`.
  int32_t buffer;
  /// One index for each of `loopsAroundWrites`.
  llvm::SmallVector<int64_t, 4> iteration;
  /// Elements as f32: in HBM in order, on chip one partition after the other;
  /// NaN if never written. Set by the run.
  std::vector<float> values = {};
};

/// Whether an instruction writes any of a buffer.
bool writes(const Instruction &instruction, int32_t buffer);

/// The loops of `program` around all instructions that write `buffer`,
/// outermost first; none if nothing writes it.
llvm::SmallVector<int32_t, 4> loopsAroundWrites(const Program &program,
                                                int32_t buffer);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_SNAPSHOT_H
