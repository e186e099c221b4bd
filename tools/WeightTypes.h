//===- WeightTypes.h - The values of --weights ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_WEIGHTTYPES_H
#define TRN_TOOLS_WEIGHTTYPES_H

#include "trn/Support/FloatTypes.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::trn {

/// The types of 8 bits that tools store weights in.
inline llvm::cl::ValuesClass weightTypes() {
  return llvm::cl::values(
      clEnumValN(ElementType::I8, "int8", "8-bit integers"),
      clEnumValN(ElementType::F8E4M3FN, "fp8", "8-bit floats (e4m3)"));
}

} // namespace mlir::trn

#endif // TRN_TOOLS_WEIGHTTYPES_H
