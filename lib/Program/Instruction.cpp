//===- Instruction.cpp - One instruction of an engine ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Instruction.h"

using namespace mlir::trn;

bool Condition::evaluate(llvm::ArrayRef<int64_t> counters) const {
  int64_t value = expr.evaluate(counters);
  switch (predicate) {
  case Predicate::Eq:
    return value == 0;
  case Predicate::Ne:
    return value != 0;
  case Predicate::Lt:
    return value < 0;
  case Predicate::Le:
    return value <= 0;
  case Predicate::Gt:
    return value > 0;
  case Predicate::Ge:
    return value >= 0;
  }
  return false;
}
