//===- PrintBuffers.h - Buffers as text -------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_PRINTBUFFERS_H
#define TRN_LIB_TARGET_NKI_PRINTBUFFERS_H

#include "OpPrinter.h"

namespace mlir::trn::nki {

/// Names a buffer of `kernel`, and declares it if anything uses it.
void printBuffer(PrintedKernel &kernel, Operation *alloc);

/// Declares a result, which has its name.
void printResult(PrintedKernel &kernel, const Tensor &result);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_PRINTBUFFERS_H
