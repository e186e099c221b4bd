//===- SizeOptions.h - Which sizes weights get ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_SIZEOPTIONS_H
#define TRN_TOOLS_TRN_COMPRESS_SIZEOPTIONS_H

#include "trn/Compress/CompressFolder.h"

namespace mlir::trn {

/// Fails if options contradict each other or are out of range.
llvm::Expected<RankChoice> readRankChoice();
/// Whether any option says how much is to stay.
bool asksForSizes();
/// Weights stay whole whose factors are not faster.
bool requiresFaster();
/// Puts what finds factors and neurons into a job.
void readMethod(CompressionJob &job);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_SIZEOPTIONS_H
