//===- MPICores.h - Cores in processes that mpirun starts -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_RUN_MPICORES_H
#define TRN_TOOLS_TRN_RUN_MPICORES_H

#include "trn/Interpreter/CoreGroup.h"

namespace mlir::trn {

/// A core in each process of mpirun. Alive between MPI_Init and MPI_Finalize.
std::unique_ptr<CoreGroup> makeMPICores();

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_RUN_MPICORES_H
