//===- FloatTypes.h - Element types of buffers ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_FLOATTYPES_H
#define TRN_SUPPORT_FLOATTYPES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace mlir::trn {

/// The element types that a buffer may hold.
enum class ElementType : uint8_t { BF16, F16, F32 };

/// Size of one element in bytes.
constexpr int64_t byteSize(ElementType type) {
  return type == ElementType::F32 ? 4 : 2;
}

/// The MLIR spelling: `bf16`, `f16`, `f32`.
llvm::StringRef stringify(ElementType type);

/// The inverse of `stringify`.
std::optional<ElementType> parseElementType(llvm::StringRef name);

/// Rounds to nearest, ties to even; NaN stays NaN.
uint16_t floatToBF16(float value);
uint16_t floatToF16(float value);
float bf16ToFloat(uint16_t bits);
float f16ToFloat(uint16_t bits);

/// Rounds `count` floats to `type` (to nearest even) and stores them at `to`,
/// contiguous and possibly unaligned; `load` is the exact inverse.
void storeFloats(ElementType type, const float *from, void *to, int64_t count);
void loadFloats(ElementType type, const void *from, float *to, int64_t count);

} // namespace mlir::trn

#endif // TRN_SUPPORT_FLOATTYPES_H
