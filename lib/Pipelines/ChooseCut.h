//===- ChooseCut.h - Whether two kernels are faster than one ----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_CHOOSECUT_H
#define TRN_LIB_PIPELINES_CHOOSECUT_H

#include "trn/Search/KnownPlans.h"
#include "trn/Transforms/Outline/CutKernel.h"

namespace mlir::trn {

struct ChosenCut {
  KernelCut cut;
  int64_t latency = 0; // of both kernels, in picoseconds
};

/// Where to cut `kernel`, which takes as long as `whole` says, so that both
/// halves together are modelled to take the least time; nowhere if that is not
/// less. `effort` and `plans` are for the halves. The answer depends on nothing
/// but the kernel, the machine and the effort.
std::optional<ChosenCut> chooseCut(func::FuncOp kernel,
                                   const search::FoundPlan &whole,
                                   const Machine &machine, int64_t effort,
                                   search::KnownPlans &plans);

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_CHOOSECUT_H
