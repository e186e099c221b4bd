//===- ValidateEachPass.h - Do passes keep the values? --------*- C++ -*-===//
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

/// Runs the public functions of the module that `manager` is given, on random
/// inputs of `seed`, before its first pass and after each that changes the
/// module. The first pass after which the values are not those of before is an
/// error, with a reproducer in the folder for temporary files; it sets
/// `isWrong`, and the passes that are left do nothing. Where a module cannot be
/// run, a remark says so, and values are compared where the next one can.
///
/// Needs `registerRunDialects`, lets passes run one by one, and is seen by
/// `manager` and its context for as long as they live, so `isWrong` must.
void validateEachPass(PassManager &manager, uint64_t seed, bool &isWrong);

} // namespace trn
} // namespace mlir

#endif // TRN_VALIDATE_VALIDATEEACHPASS_H
