//===- Program.cpp - A decoded kernel -------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/Program.h"

#include "trn/Machine/Machine.h"

using namespace mlir::trn;

int64_t mlir::trn::slotBegin(const Buffer &buffer, int64_t slot,
                             const Machine &machine) {
  int64_t bytes = buffer.bytesPerPartition;
  if (buffer.space != Space::Psum)
    return buffer.offset + slot * bytes;
  int64_t bank = buffer.bank + slot * machine.psumBanksOf(bytes);
  return bank * machine.psumBankBytes + buffer.offset;
}
