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

/// The element types that a buffer may hold. Integers are for indices and
/// counts: engines compute in f32 whatever the types of their operands
/// (ISA:1115).
enum class ElementType : uint8_t { BF16, F16, F32, I32, UI32 };

/// Size of one element in bytes.
constexpr int64_t byteSize(ElementType type) {
  return type == ElementType::BF16 || type == ElementType::F16 ? 2 : 4;
}

constexpr bool isInteger(ElementType type) {
  return type == ElementType::I32 || type == ElementType::UI32;
}

/// Below this magnitude, f32 holds every integer and no other one rounds to it.
constexpr int64_t exactIntegers = int64_t(1) << 24;

/// The MLIR spelling: `bf16`, `f16`, `f32`, `i32`, `ui32`.
llvm::StringRef stringify(ElementType type);

/// The inverse of `stringify` for floats, which is what plans are made of.
std::optional<ElementType> parseFloatType(llvm::StringRef name);

/// Rounds to nearest, ties to even; NaN stays NaN.
uint16_t floatToBF16(float value);
uint16_t floatToF16(float value);
float bf16ToFloat(uint16_t bits);
float f16ToFloat(uint16_t bits);

/// Rounds `count` floats to `type` (to nearest even) and stores them at `to`,
/// contiguous and possibly unaligned; `load` is the exact inverse. What an
/// integer does not hold becomes the nearest that it does, and what is no
/// integer the lowest one, or the middle of those without a sign: none of them
/// is below `exactIntegers`, so that whoever looks for that finds it.
void storeFloats(ElementType type, const float *from, void *to, int64_t count);
void loadFloats(ElementType type, const void *from, float *to, int64_t count);

} // namespace mlir::trn

#endif // TRN_SUPPORT_FLOATTYPES_H
