//===- HostType.h - Element types of tensors on the host --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_HOSTTYPE_H
#define TRN_SUPPORT_HOSTTYPE_H

#include "trn/Support/FloatTypes.h"
#include <string>

namespace mlir::trn {

/// Element types of host tensors: floats, as in buffers, or integers, which
/// only host code computes with.
class HostType {
public:
  HostType(ElementType floats) : floats(floats) {}
  /// Of 1, 8, 16, 32 or 64 bits; one bit takes a byte.
  static HostType integer(unsigned bits) {
    HostType type(ElementType::F32);
    type.bits = bits;
    return type;
  }

  bool isInteger() const { return bits != 0; }
  /// Of floats only.
  ElementType getFloats() const { return floats; }
  /// Of integers only.
  unsigned getBits() const { return bits; }

  bool operator==(const HostType &other) const {
    return bits == other.bits && floats == other.floats;
  }
  bool operator!=(const HostType &other) const { return !(*this == other); }

private:
  ElementType floats;
  uint8_t bits = 0;
};

/// Size of one element in bytes.
inline int64_t byteSize(HostType type) {
  return type.isInteger() ? (type.getBits() + 7) / 8
                          : byteSize(type.getFloats());
}

/// The MLIR spelling: `f32`, `i64`.
inline std::string stringify(HostType type) {
  return type.isInteger() ? "i" + std::to_string(type.getBits())
                          : stringify(type.getFloats()).str();
}

} // namespace mlir::trn

#endif // TRN_SUPPORT_HOSTTYPE_H
