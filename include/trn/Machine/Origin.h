//===- Origin.h - Where a constant of a machine comes from ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MACHINE_ORIGIN_H
#define TRN_MACHINE_ORIGIN_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mlir::trn {

/// How a constant of a machine became known.
enum class FactKind : uint8_t {
  Legality,  // what the hardware accepts
  Published, // a cost that the vendor states
  Fitted,    // chosen so that measured kernels are met
  Assumed,   // nothing is published; the source gives the reason
};

/// Where the value of one constant comes from. An empty source means that the
/// machine does not have the constant and the field holds its default.
struct Origin {
  FactKind kind = FactKind::Assumed;
  std::string source;
  /// The lowest and the highest value that the source allows; absent where it
  /// says nothing about it.
  std::optional<std::pair<double, double>> range = std::nullopt;
};

} // namespace mlir::trn

#endif // TRN_MACHINE_ORIGIN_H
