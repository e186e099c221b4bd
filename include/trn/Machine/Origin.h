//===- Origin.h - Sources of a machine's constants --------------*- C++ -*-===//
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

/// The kind of knowledge behind a constant.
enum class FactKind : uint8_t {
  Legality,  // accepted by the hardware
  Published, // a cost stated by the vendor
  Fitted,    // chosen to match measured kernels
  Assumed,   // nothing is published; the source gives the reason
};

/// The source of one constant. It is empty if the machine does not have the
/// constant, and the field holds its default.
struct Origin {
  FactKind kind = FactKind::Assumed;
  std::string source;
  /// Lowest and highest value that the source allows; absent if it gives none.
  std::optional<std::pair<double, double>> range = std::nullopt;
};

} // namespace mlir::trn

#endif // TRN_MACHINE_ORIGIN_H
