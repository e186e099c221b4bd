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

/// Compiles products X W, chains X U V and MLPs from their sizes alone, as
/// `trn-run --compile --timing-only` does with what `trn-gen` writes, and says
/// how long they take on a machine. The same products are compiled once.
class ChainTimer {
public:
  explicit ChainTimer(Machine machine) : machine(std::move(machine)) {}

  /// The modelled latency in milliseconds. Fails if there can be no such
  /// product, or with what the compiler says of it.
  llvm::Expected<double> time(const ChainSpec &spec);
  /// The same of an MLP, without what launches take, which an MLP in a model
  /// shares with all else.
  llvm::Expected<double> timeWithoutLaunches(const MlpSpec &spec);

private:
  llvm::Expected<Metrics> measure(
      llvm::function_ref<llvm::Expected<OwningOpRef<ModuleOp>>(MLIRContext *)>
          generate);

  using Key = std::tuple<int64_t, int64_t, int64_t, int64_t, ElementType,
                         std::optional<ElementType>, bool, bool>;

  Machine machine;
  std::map<Key, double> known;
};

} // namespace mlir::trn

#endif // TRN_RUN_TIMECHAIN_H
