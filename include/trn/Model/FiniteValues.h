//===- FiniteValues.h - Checks for finite values ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_FINITEVALUES_H
#define TRN_MODEL_FINITEVALUES_H

#include "trn/Support/HostTensor.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

/// The values of a tensor in f32. Fails at the first one that is not finite,
/// with its index.
llvm::Expected<std::vector<float>> loadFinite(llvm::StringRef name,
                                              const ArrayView &view);

/// The same for loaded values: those of the tensor `name` from element `first`
/// on.
llvm::Error checkFinite(llvm::StringRef name, llvm::ArrayRef<float> values,
                        int64_t first, llvm::ArrayRef<int64_t> shape);

} // namespace mlir::trn

#endif // TRN_MODEL_FINITEVALUES_H
