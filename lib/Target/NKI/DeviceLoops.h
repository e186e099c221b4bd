//===- DeviceLoops.h - Loops that run on the device -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The counter of such a loop is a register. All that NKI can do with it is to
// move where an access to HBM starts, by as many indices of one dimension.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_DEVICELOOPS_H
#define TRN_LIB_TARGET_NKI_DEVICELOOPS_H

#include "KernelReading.h"

namespace mlir::trn::nki {

/// How many instructions `loop` executes, or the largest number if more.
uint64_t countInstructions(const KernelReading &kernel, scf::ForOp loop);

/// How many indices of tensors in HBM an iteration of `loop` moves on, if that
/// is all that the iterations differ in; then it can be a loop of the device.
std::optional<int64_t> findDeviceStep(const KernelReading &kernel,
                                      scf::ForOp loop);

/// A loop of the device whose register goes up by `step`.
struct DeviceLoop {
  int32_t number;
  int64_t step;
  std::string name;

  bool counts(const LinearExpr &expr) const {
    return llvm::any_of(expr.terms, [&](const LinearExpr::Term &term) {
      return term.loop == number;
    });
  }
  /// Takes what the loop counts out of the start of an access to a tensor of
  /// `shape`: `, scalar_offset=m, indirect_dim=0`, or nothing.
  std::string takeRegister(LinearExpr &offset, ArrayRef<int64_t> shape) const;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_DEVICELOOPS_H
