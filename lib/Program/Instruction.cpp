//===- Instruction.cpp - One instruction of an engine ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Instruction.h"

using namespace mlir::trn;

int64_t Instruction::movedBytes(const Access &access) const {
  bool isTable = (semantics == Semantics::Gather && &access == &reads[0]) ||
                 (semantics == Semantics::Scatter && &access == &writes[0]);
  if (!isTable)
    return access.numBytes();
  // As many as the tile has.
  const Access &tile =
      semantics == Semantics::Gather ? writes.front() : reads.front();
  return tile.numElements() * byteSize(access.type);
}

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
