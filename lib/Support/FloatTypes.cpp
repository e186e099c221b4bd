//===- FloatTypes.cpp - Element types of buffers --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/FloatTypes.h"

#include "trn/Support/ForEachCPU.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

using namespace mlir::trn;

static uint32_t bitsOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float floatOf(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

llvm::StringRef mlir::trn::stringify(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return "bf16";
  case ElementType::F16:
    return "f16";
  case ElementType::F32:
    return "f32";
  case ElementType::I32:
    return "i32";
  case ElementType::UI32:
    return "ui32";
  case ElementType::I8:
    return "i8";
  case ElementType::F8E4M3:
    return "f8E4M3";
  case ElementType::F8E4M3FN:
    return "f8E4M3FN";
  }
  return "";
}

std::optional<ElementType> mlir::trn::parseFloatType(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<ElementType>>(name)
      .Case("bf16", ElementType::BF16)
      .Case("f16", ElementType::F16)
      .Case("f32", ElementType::F32)
      .Default(std::nullopt);
}

std::optional<ElementType> mlir::trn::parseMatrixType(llvm::StringRef name) {
  for (ElementType type :
       {ElementType::I8, ElementType::F8E4M3, ElementType::F8E4M3FN})
    if (name == stringify(type))
      return type;
  return parseFloatType(name);
}

uint16_t mlir::trn::floatToBF16(float value) {
  uint32_t bits = bitsOf(value);
  // Rounding could carry a NaN payload into infinity, so quieten it first.
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (bits >> 16) | 0x0040;
  return (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
}

float mlir::trn::bf16ToFloat(uint16_t bits) { return floatOf(bits << 16); }

uint16_t mlir::trn::floatToF16(float value) {
  _Float16 half = static_cast<_Float16>(value);
  uint16_t bits;
  std::memcpy(&bits, &half, sizeof bits);
  return bits;
}

float mlir::trn::f16ToFloat(uint16_t bits) {
  _Float16 half;
  std::memcpy(&half, &bits, sizeof half);
  return static_cast<float>(half);
}

static const llvm::fltSemantics &semanticsOf(ElementType type) {
  return type == ElementType::F8E4M3 ? llvm::APFloat::Float8E4M3()
                                     : llvm::APFloat::Float8E4M3FN();
}

uint8_t mlir::trn::floatToF8(ElementType type, float value) {
  llvm::APFloat number(value);
  bool isInexact;
  number.convert(semanticsOf(type), llvm::APFloat::rmNearestTiesToEven,
                 &isInexact);
  return number.bitcastToAPInt().getZExtValue();
}

/// The value of each byte.
static std::array<float, 256> valuesOf(ElementType type) {
  std::array<float, 256> values;
  for (unsigned bits = 0; bits != values.size(); ++bits)
    values[bits] =
        llvm::APFloat(semanticsOf(type), llvm::APInt(8, bits)).convertToFloat();
  return values;
}

static const std::array<float, 256> &tableOf(ElementType type) {
  static const std::array<float, 256> ieee = valuesOf(ElementType::F8E4M3),
                                      finite = valuesOf(ElementType::F8E4M3FN);
  return type == ElementType::F8E4M3 ? ieee : finite;
}

float mlir::trn::f8ToFloat(ElementType type, uint8_t bits) {
  return tableOf(type)[bits];
}

// The loops below convert whole tiles, which vector instructions do ten times
// as fast, above all for f16.

TRN_FOR_EACH_CPU
static void storeBF16(const float *from, char *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint32_t bits;
    std::memcpy(&bits, from + i, sizeof bits);
    bool isNaN = (bits & 0x7fffffff) > 0x7f800000;
    uint32_t rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
    uint16_t value = isNaN ? (bits >> 16) | 0x0040 : rounded;
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

TRN_FOR_EACH_CPU
static void storeF16(const float *from, char *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    _Float16 value = static_cast<_Float16>(from[i]);
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

TRN_FOR_EACH_CPU
static void loadBF16(const char *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    uint16_t value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    uint32_t bits = uint32_t(value) << 16;
    std::memcpy(to + i, &bits, sizeof bits);
  }
}

TRN_FOR_EACH_CPU
static void loadF16(const char *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    _Float16 value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    to[i] = static_cast<float>(value);
  }
}

/// See `storeFloats`.
template <typename Integer>
static Integer toInteger(float value) {
  constexpr int digits = std::numeric_limits<Integer>::digits;
  constexpr float end = 2.0f * (Integer(1) << (digits - 1));
  constexpr float begin = std::is_signed_v<Integer> ? -end : 0;
  if (value >= end)
    return std::numeric_limits<Integer>::max();
  bool isInteger = value >= begin && value == std::trunc(value);
  return isInteger ? static_cast<Integer>(value)
                   : Integer(uint64_t(1) << (8 * sizeof(Integer) - 1));
}

template <typename Integer>
static void storeIntegers(const float *from, char *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Integer value = toInteger<Integer>(from[i]);
    std::memcpy(to + i * sizeof value, &value, sizeof value);
  }
}

template <typename Integer>
static void loadIntegers(const char *from, float *to, int64_t count) {
  for (int64_t i = 0; i < count; ++i) {
    Integer value;
    std::memcpy(&value, from + i * sizeof value, sizeof value);
    to[i] = static_cast<float>(value);
  }
}

static void storeF8(ElementType type, const float *from, char *to,
                    int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    to[i] = floatToF8(type, from[i]);
}

static void loadF8(ElementType type, const char *from, float *to,
                   int64_t count) {
  const std::array<float, 256> &table = tableOf(type);
  for (int64_t i = 0; i < count; ++i)
    to[i] = table[uint8_t(from[i])];
}

void mlir::trn::storeFloats(ElementType type, const float *from, void *to,
                            int64_t count) {
  if (count == 0)
    return; // there may be no memory, which memcpy must not see
  switch (type) {
  case ElementType::BF16:
    return storeBF16(from, static_cast<char *>(to), count);
  case ElementType::F16:
    return storeF16(from, static_cast<char *>(to), count);
  case ElementType::F32:
    std::memcpy(to, from, count * sizeof(float));
    return;
  case ElementType::I32:
    return storeIntegers<int32_t>(from, static_cast<char *>(to), count);
  case ElementType::UI32:
    return storeIntegers<uint32_t>(from, static_cast<char *>(to), count);
  case ElementType::I8:
    return storeIntegers<int8_t>(from, static_cast<char *>(to), count);
  case ElementType::F8E4M3:
  case ElementType::F8E4M3FN:
    return storeF8(type, from, static_cast<char *>(to), count);
  }
}

void mlir::trn::loadFloats(ElementType type, const void *from, float *to,
                           int64_t count) {
  if (count == 0)
    return;
  switch (type) {
  case ElementType::BF16:
    return loadBF16(static_cast<const char *>(from), to, count);
  case ElementType::F16:
    return loadF16(static_cast<const char *>(from), to, count);
  case ElementType::F32:
    std::memcpy(to, from, count * sizeof(float));
    return;
  case ElementType::I32:
    return loadIntegers<int32_t>(static_cast<const char *>(from), to, count);
  case ElementType::UI32:
    return loadIntegers<uint32_t>(static_cast<const char *>(from), to, count);
  case ElementType::I8:
    return loadIntegers<int8_t>(static_cast<const char *>(from), to, count);
  case ElementType::F8E4M3:
  case ElementType::F8E4M3FN:
    return loadF8(type, static_cast<const char *>(from), to, count);
  }
}
