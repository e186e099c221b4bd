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

/// Element types of buffers. Integers of 32 bits are for indices and counts,
/// types of 8 bits for weights. Engines compute in f32 whatever the types of
/// their operands (ISA:1115).
enum class ElementType : uint8_t {
  BF16,
  F16,
  F32,
  I32,
  UI32,
  I8,
  F8E4M3,
  F8E4M3FN
};

/// Size of one element in bytes.
constexpr int64_t byteSize(ElementType type) {
  switch (type) {
  case ElementType::I8:
  case ElementType::F8E4M3:
  case ElementType::F8E4M3FN:
    return 1;
  case ElementType::BF16:
  case ElementType::F16:
    return 2;
  default:
    return 4;
  }
}

constexpr bool isInteger(ElementType type) {
  return type == ElementType::I32 || type == ElementType::UI32 ||
         type == ElementType::I8;
}

/// Whether `type` is for storage only: products and results are wider.
constexpr bool isStorage(ElementType type) { return byteSize(type) == 1; }

/// Below this magnitude, f32 holds every integer exactly.
constexpr int64_t exactIntegers = int64_t(1) << 24;

/// The MLIR spelling: `bf16`, `ui32`, `f8E4M3FN`.
llvm::StringRef stringify(ElementType type);

/// The inverse of `stringify` for computed types: floats of 16 and 32 bits.
std::optional<ElementType> parseFloatType(llvm::StringRef name);
/// The same for matrices of plans: those, and types of 8 bits.
std::optional<ElementType> parseMatrixType(llvm::StringRef name);

/// Rounds to nearest, ties to even; NaN stays NaN.
uint16_t floatToBF16(float value);
uint16_t floatToF16(float value);
float bf16ToFloat(uint16_t bits);
float f16ToFloat(uint16_t bits);
/// For `F8E4M3`, whose largest number 240 is followed by infinity, or
/// `F8E4M3FN`, whose 448 is followed by NaN.
uint8_t floatToF8(ElementType type, float value);
float f8ToFloat(ElementType type, uint8_t bits);

/// Rounds `count` floats to `type` (to nearest even) and stores them at `to`,
/// contiguous and possibly unaligned; `load` is the exact inverse. Values
/// outside an integer type are clamped. Other non-integers become its lowest
/// value or, without sign, its middle: at least `exactIntegers` in magnitude,
/// so that checks find them.
void storeFloats(ElementType type, const float *from, void *to, int64_t count);
void loadFloats(ElementType type, const void *from, float *to, int64_t count);

} // namespace mlir::trn

#endif // TRN_SUPPORT_FLOATTYPES_H
