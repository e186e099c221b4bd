//===- ChooseStrategy.h - How a chain becomes kernels -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_CHOOSESTRATEGY_H
#define TRN_TRANSFORMS_CHOOSESTRATEGY_H

#include "trn/Transforms/Passes.h"

namespace mlir::trn {

struct Chain;
struct Machine;

/// FLOPs of `chain`, multiply and add counted apart; none if they overflow.
std::optional<int64_t> countFlops(const Chain &chain);

/// The strategy for `chain`: the one that is requested, or the one of least
/// modelled time with blocks of the planner's choice. Fails if none can be
/// planned, with the planner's reason. A single product has one strategy.
llvm::Expected<Strategy> chooseStrategy(const Chain &chain,
                                        StrategyRequest request,
                                        TransposeMode transpose,
                                        const Machine &machine);

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_CHOOSESTRATEGY_H
