//===- Version.h - The version of trn-mlir ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_VERSION_H
#define TRN_SUPPORT_VERSION_H

namespace llvm {
class raw_ostream;
} // namespace llvm

namespace mlir::trn {

/// The version of the project in CMakeLists.txt: `0.2.0`.
const char *getVersion();

/// Prints `trn-mlir 0.2.0 (LLVM 22.1.8)`: for `cl::SetVersionPrinter`.
void printVersion(llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_SUPPORT_VERSION_H
