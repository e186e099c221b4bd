//===- MPITeam.cpp - Processes that mpirun starts -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MPITeam.h"

#include <algorithm>
#include <cstdlib>
#include <mpi.h>

using namespace mlir::trn;

MPITeam::MPITeam() {
  MPI_Init(nullptr, nullptr);
  int number = 0, count = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  own = number;
  all = count;
}

MPITeam::~MPITeam() { MPI_Finalize(); }

void MPITeam::broadcast(llvm::MutableArrayRef<char> bytes, unsigned from) {
  // MPI counts with int.
  const size_t most = size_t(1) << 30;
  for (size_t at = 0; at < bytes.size(); at += most)
    MPI_Bcast(bytes.data() + at, int(std::min(most, bytes.size() - at)),
              MPI_BYTE, int(from), MPI_COMM_WORLD);
}

void MPITeam::wait() { MPI_Barrier(MPI_COMM_WORLD); }

void MPITeam::abort(int status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}
