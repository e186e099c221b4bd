//===- BufferLife.h - Live ranges of on-chip buffers ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_ANALYSIS_BUFFERLIFE_H
#define TRN_ANALYSIS_BUFFERLIFE_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Machine/Machine.h"
#include "trn/Placement/Lives.h"

namespace mlir::func {
class FuncOp;
} // namespace mlir::func

namespace mlir::trn {

/// The life of an on-chip buffer. Steps are allocations, deallocations,
/// instructions, and the begins and ends of loops.
struct BufferLife {
  AllocOp alloc;
  /// The last user in the block of the alloc, possibly a loop around the use.
  /// Without users, the alloc itself.
  Operation *lastUse;
  /// Ops that access the buffer, through views or not, in no particular order.
  SmallVector<Operation *> users;
  /// In bytes of a partition or, in PSUM, in banks.
  placement::Life life;

  MemorySpace getSpace() const;
};

struct KernelLives {
  /// In order of the allocs.
  std::vector<BufferLife> buffers;
  DenseMap<Operation *, placement::StepRange> loops;

  std::vector<BufferLife> in(MemorySpace space) const;
};

/// The lives of all buffers of `kernel`. Fails with a diagnostic if something
/// other than instructions and views uses one.
FailureOr<KernelLives> computeLives(func::FuncOp kernel,
                                    const Machine &machine);

/// The basis for deciding addresses and slots.
placement::Lives placementOf(ArrayRef<BufferLife> lives);

/// Number of addresses, or of banks, of `machine`.
int64_t capacityOf(MemorySpace space, const Machine &machine);

} // namespace mlir::trn

#endif // TRN_ANALYSIS_BUFFERLIFE_H
