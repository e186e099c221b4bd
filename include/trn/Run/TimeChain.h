//===- TimeChain.h - Modelled times of products -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_TIMECHAIN_H
#define TRN_RUN_TIMECHAIN_H

#include "trn/Generate/Generate.h"
#include "trn/Machine/Machine.h"
#include "trn/Report/Report.h"
#include <map>
#include <tuple>

namespace mlir::trn {

/// Compiles products X W and chains X U V from their sizes, as
/// `trn-run --compile --timing-only` does with the output of `trn-gen`, and
/// times them on a machine. Equal products are compiled once.
class ChainTimer {
public:
  explicit ChainTimer(Machine machine) : machine(std::move(machine)) {}

  /// The modelled latency in milliseconds. Fails for an impossible product, or
  /// with the compiler's error.
  llvm::Expected<double> time(const ChainSpec &spec);

private:
  llvm::Expected<Metrics> measure(const ChainSpec &spec) const;

  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t, ElementType,
                         std::optional<ElementType>, bool, bool>;

  Machine machine;
  std::map<Key, double> known;
};

} // namespace mlir::trn

#endif // TRN_RUN_TIMECHAIN_H
