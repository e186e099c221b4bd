//===- Version.cpp - Which version of trn-mlir this is --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Version.h"

#include "llvm/Config/llvm-config.h"
#include "llvm/Support/raw_ostream.h"

const char *mlir::trn::getVersion() { return TRN_VERSION; }

void mlir::trn::printVersion(llvm::raw_ostream &os) {
  os << "trn-mlir " << getVersion() << " (LLVM " LLVM_VERSION_STRING ")\n";
}
