//===- NKIOptions.h - How kernels are printed -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TARGET_NKI_NKIOPTIONS_H
#define TRN_TARGET_NKI_NKIOPTIONS_H

#include <cstdint>

namespace mlir::trn {

struct Machine;

/// The forms of NKI that kernels are printed in: one for each generation of
/// machines that it compiles for.
enum class NKIVersion {
  Beta1, // `neuronxcc.nki`, for trn1
  V0_6,  // `nki` of SDK 2.32, for trn2 and later
  V0_7,  // `nki` of SDK 2.33, which runs kernels as Python to trace them
};

/// The form that compiles for `machine`.
NKIVersion getNKIVersion(const Machine &machine);

struct NKIOptions {
  NKIVersion version = NKIVersion::V0_6;
  /// Print the address of each buffer, too.
  bool addresses = false;
  /// A loop of more instructions, counted as often as they run, is a loop of
  /// the device where it can be one.
  uint64_t unrollLimit = 4096;
  /// What cannot be said is a comment and a warning, not an error.
  bool bestEffort = false;
};

} // namespace mlir::trn

#endif // TRN_TARGET_NKI_NKIOPTIONS_H
