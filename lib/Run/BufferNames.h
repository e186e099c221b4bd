//===- BufferNames.h - What users call the buffers of a kernel --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_BUFFERNAMES_H
#define TRN_LIB_RUN_BUFFERNAMES_H

#include "mlir/IR/BuiltinTypes.h"
#include "trn/Decode/Decode.h"

namespace mlir::trn {

/// The name of a buffer: its matrix in the schedule or `trn.matrix`, else that
/// of its location, else the value that is printed for it.
struct BufferName {
  std::string matrix;
  /// With the memory, and a number if that does not tell which: `yt.psum.1`.
  std::string full;

  /// Whether `name` is the whole of it or begins it, up to a dot.
  bool isCalled(StringRef name) const;
};

/// One for each buffer of the program.
SmallVector<BufferName> nameBuffers(const DecodedKernel &kernel);

/// The type of a buffer of the program.
MemRefType getBufferType(const DecodedKernel &kernel, int32_t buffer);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_BUFFERNAMES_H
