//===- NKIOptions.cpp - How kernels are printed ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Target/NKI/NKIOptions.h"

#include "trn/Machine/Machine.h"

using namespace mlir::trn;

NKIVersion mlir::trn::getNKIVersion(const Machine &machine) {
  return machine.name == "trn1" ? NKIVersion::Beta1 : NKIVersion::V0_6;
}
