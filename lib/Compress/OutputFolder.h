//===- OutputFolder.h - The folder that trn-compress makes ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_OUTPUTFOLDER_H
#define TRN_LIB_COMPRESS_OUTPUTFOLDER_H

#include "trn/Compress/CompressionJob.h"

namespace mlir::trn {

/// Makes room for what the job writes, which may remove what an earlier one
/// made. Fails if the folder is of somebody else or has what the job reads.
llvm::Error makeRoom(const CompressionJob &job);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_OUTPUTFOLDER_H
