//===- ExamineStage.h - Does a stage compute what it did? -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_VALIDATE_EXAMINESTAGE_H
#define TRN_LIB_VALIDATE_EXAMINESTAGE_H

#include "RunStage.h"

namespace mlir::trn {

/// What a function returns and writes.
struct FunctionValues {
  std::string name;
  double tolerance = 0;
  SmallVector<NamedValue> values;
};

/// Whether a function of a module computes what it did.
struct StageOutcome {
  enum Kind { Same, CannotRun, Wrong } kind;
  /// What is known now, if it is the same.
  FunctionValues function;
  /// Else the reason.
  std::string problem;
};

/// Runs @`was.name` of a module that is read in a context like `context`, and
/// compares its values with those of `was`; without any, all are right.
StageOutcome examineStage(MLIRContext *context, StringRef bytecode,
                          const FunctionValues &was, uint64_t seed);

} // namespace mlir::trn

#endif // TRN_LIB_VALIDATE_EXAMINESTAGE_H
