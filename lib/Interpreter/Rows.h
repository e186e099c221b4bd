//===- Rows.h - Rows of elements as values in f32 ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_ROWS_H
#define TRN_LIB_INTERPRETER_ROWS_H

#include "Layout.h"

namespace mlir::trn {

/// Elements that a kernel widens to f32 at a time; the buffers stay in L1.
constexpr int64_t chunk = 1024;

/// Moves `count` elements of `size` bytes; strides are in bytes.
void moveElements(int64_t size, const char *from, int64_t fromStride, char *to,
                  int64_t toStride, int64_t count);

/// At most a chunk of elements that are `stride` bytes apart.
void loadRow(ElementType type, const char *from, int64_t stride, float *to,
             int64_t count);
void storeRow(ElementType type, const float *from, char *to, int64_t stride,
              int64_t count);

/// A chunk of a row of everything that a formula takes and yields.
struct RowBuffers {
  /// One more than there are, so that a step may point behind its reads.
  float reads[ElementNest::maxOperands + 1][chunk];
  float results[2][chunk];
};

/// What the steps of `instruction` make of `count` values of x; the values of
/// its reads are in `buffers`.
inline const float *computeRow(const PreparedInstruction &instruction,
                               const float *x, RowBuffers &buffers,
                               int64_t count) {
  llvm::ArrayRef<float> parameters = instruction.source->parameters;
  int place = 0;
  for (const RowStep &step : instruction.steps) {
    const float *inputs[] = {x, buffers.reads[step.firstRead],
                             buffers.reads[step.firstRead + 1]};
    float *result = buffers.results[place];
    step.function(inputs, result, count,
                  parameters.drop_front(step.firstParameter));
    x = result;
    place = 1 - place;
  }
  return x;
}

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_ROWS_H
