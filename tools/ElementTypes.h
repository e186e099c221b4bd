//===- ElementTypes.h - Options that are element types ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_ELEMENTTYPES_H
#define TRN_TOOLS_ELEMENTTYPES_H

#include "trn/Support/FloatTypes.h"
#include "llvm/Support/CommandLine.h"
#include <optional>

namespace mlir::trn {

/// The types that kernels compute with.
inline llvm::cl::ValuesClass floatTypes() {
  return llvm::cl::values(clEnumValN(ElementType::BF16, "bf16", "bfloat16"),
                          clEnumValN(ElementType::F16, "f16", "IEEE half"),
                          clEnumValN(ElementType::F32, "f32", "IEEE single"));
}

/// The types of 8 bits that tools store weights in.
inline llvm::cl::ValuesClass weightTypes() {
  return llvm::cl::values(
      clEnumValN(ElementType::I8, "int8", "8-bit integers"),
      clEnumValN(ElementType::F8E4M3FN, "fp8", "8-bit floats (e4m3)"));
}

/// What was given, if anything was.
inline std::optional<ElementType>
given(const llvm::cl::opt<ElementType> &option) {
  return option.getNumOccurrences() ? std::optional(option.getValue())
                                    : std::nullopt;
}

} // namespace mlir::trn

#endif // TRN_TOOLS_ELEMENTTYPES_H
