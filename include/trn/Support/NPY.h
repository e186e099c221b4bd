//===- NPY.h - Read and write NumPy's npy files -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_NPY_H
#define TRN_SUPPORT_NPY_H

#include "trn/Support/HostTensor.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::trn {

/// Parses an npy file: format 1, 2 or 3, little-endian float16, float32, bool
/// or signed integers, C or Fortran order. The view points into `bytes`.
llvm::Expected<ArrayView> parseNPY(llvm::StringRef bytes);

/// Fills `tensor` from a file of its shape: of its type, of f32 for any floats,
/// or of any integers that fit. Errors name the file.
llvm::Error readNPY(llvm::StringRef path, HostTensor &tensor);

/// Writes C order. npy has no bf16, so that is written as float32, exactly.
llvm::Error writeNPY(llvm::StringRef path, const HostTensor &tensor);

} // namespace mlir::trn

#endif // TRN_SUPPORT_NPY_H
