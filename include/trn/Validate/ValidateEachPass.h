//===- ValidateEachPass.h - Check values after each pass --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_VALIDATE_VALIDATEEACHPASS_H
#define TRN_VALIDATE_VALIDATEEACHPASS_H

#include <cstdint>

namespace mlir {
class PassManager;

namespace trn {

/// Runs the module's public functions on random inputs of `seed`, before the
/// first pass of `manager` and after each pass that changes the module. The
/// first change of values is an error, with a reproducer in the folder for
/// temporary files. It sets `isWrong`, and the remaining passes do nothing. If
/// a module cannot be run, a remark says so, and the next one that can is
/// compared.
///
/// Needs `registerRunDialects`, and makes passes run one by one. `isWrong` must
/// outlive `manager` and its context.
void validateEachPass(PassManager &manager, uint64_t seed, bool &isWrong);

} // namespace trn
} // namespace mlir

#endif // TRN_VALIDATE_VALIDATEEACHPASS_H
