//===- Options.h - The command line of trn-compress -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_OPTIONS_H
#define TRN_TOOLS_TRN_COMPRESS_OPTIONS_H

#include "ModelledTimes.h"
#include "trn/Compress/CompressFolder.h"

namespace mlir::trn {

/// Ends the process, with a message, if options are no options.
void parseOptions(int argc, char **argv);

/// What they ask for; each fails if they contradict each other or are out of
/// range.
llvm::Expected<CompressionJob> readJob();
/// Without a type, if that is the one of the model's weights.
llvm::Expected<TimedKernels> readTimedKernels();
/// Of the page to write, or empty.
llvm::Expected<llvm::StringRef> readPagePath();
llvm::StringRef getModel();
/// To merge into the model, or empty.
llvm::StringRef getAdapter();
/// Nothing is factored: weights are merged, or written in another way.
bool onlyWrites();
bool isDryRun();
/// The work is shared with other processes.
bool isForTeam();

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_OPTIONS_H
