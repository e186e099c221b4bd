//===- GroupKernels.h - Kernels that do the same ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_REPORT_GROUPKERNELS_H
#define TRN_LIB_REPORT_GROUPKERNELS_H

#include "trn/Report/Report.h"

namespace mlir::trn {

/// Kernels of which every call does the same and takes as long: the layers of a
/// model have the same shapes.
struct KernelGroup {
  /// The first of them, with the numbers of all calls of all of them.
  KernelReport sum;
  size_t numKernels = 1;
};

/// In the order of the first of each group.
std::vector<KernelGroup> groupKernels(llvm::ArrayRef<KernelReport> kernels);

} // namespace mlir::trn

#endif // TRN_LIB_REPORT_GROUPKERNELS_H
