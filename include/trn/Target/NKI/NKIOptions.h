//===- NKIOptions.h - Options for printing kernels --------------*- C++ -*-===//
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

/// Versions of NKI for output, by the generation of machines for which each
/// compiles.
enum class NKIVersion {
  Beta1, // `neuronxcc.nki`, for trn1
  V0_6,  // `nki` of SDK 2.32, for trn2 and later
  V0_7,  // `nki` of SDK 2.33, which traces kernels by running Python
};

/// The version that compiles for `machine`.
NKIVersion getNKIVersion(const Machine &machine);

struct NKIOptions {
  NKIVersion version = NKIVersion::V0_6;
  /// Print the address of each buffer, too.
  bool addresses = false;
  /// A loop with more executed instructions becomes a loop of the device, if it
  /// can be one.
  uint64_t unrollLimit = 4096;
  /// Inexpressible parts become a comment and a warning, not an error.
  bool bestEffort = false;
};

} // namespace mlir::trn

#endif // TRN_TARGET_NKI_NKIOPTIONS_H
