//===- TimeTargets.h - The least that reaches a target ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TIMETARGETS_H
#define TRN_TOOLS_TRN_LLM_TIMETARGETS_H

#include "TimeTable.h"

namespace mlir::trn {

/// What is asked of a model; none if not given.
struct TimeTargets {
  std::optional<double> maxMsPerToken, minTokensPerSecond;
};

/// Prints which variant reaches both targets on the fewest cores, and of
/// several of these the fastest. Where variants have ranges, also whether it is
/// the same at their slow and at their fast ends. Returns the answer as
/// `targets` of a report has it; null if nothing is asked.
llvm::json::Value printTargets(llvm::ArrayRef<TimedVariant> variants,
                               const TimeTargets &targets,
                               llvm::raw_ostream &os);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TIMETARGETS_H
