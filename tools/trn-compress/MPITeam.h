//===- MPITeam.h - Processes that mpirun starts -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_MPITEAM_H
#define TRN_TOOLS_TRN_COMPRESS_MPITEAM_H

#include "trn/Compress/Team.h"

namespace mlir::trn {

/// Alive between MPI_Init and MPI_Finalize.
class MPITeam : public Team {
public:
  MPITeam();
  ~MPITeam() override;
  MPITeam(const MPITeam &) = delete;

  unsigned rank() const override { return own; }
  unsigned size() const override { return all; }
  void broadcast(llvm::MutableArrayRef<char> bytes, unsigned from) override;
  void wait() override;
  /// Ends all of them: the others would wait for this one.
  [[noreturn]] void abort(int status);

private:
  unsigned own, all;
};

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_MPITEAM_H
