//===- RecoveryOptions.h - How accuracy is won back -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_RECOVERYOPTIONS_H
#define TRN_TOOLS_TRN_COMPRESS_RECOVERYOPTIONS_H

#include "trn/Compress/CompressFolder.h"
#include "trn/Support/Refuse.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::trn {

/// Of all options.
llvm::cl::OptionCategory &getCategory();

/// Weights of attention that stay whole are fitted anew.
bool refitsAttention();

/// Puts what --recover and its options ask for into a job, whose method and
/// `resumes` are known.
llvm::Error readRecovery(CompressionJob &job);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_RECOVERYOPTIONS_H
