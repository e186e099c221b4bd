//===- ShowResults.h - What trn-compress tells ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_COMPRESS_SHOWRESULTS_H
#define TRN_TOOLS_TRN_COMPRESS_SHOWRESULTS_H

#include "trn/Compress/RankPlan.h"

namespace mlir::trn {

/// On standard error.
void warn(const std::string &text);
/// Ranks and neurons that are no multiple of the partitions are taken, with a
/// word.
void warnOfIdlePartitions(llvm::ArrayRef<FactoredMatrix> plan);

/// Alignment and weights that stay dense may make much more or less of a share
/// than was asked for.
void warnOfOtherShare(const RankChoice &choice, const ModelConfig &config,
                      llvm::ArrayRef<FactoredMatrix> plan);

/// On standard output: each weight that was asked for, how many parameters are
/// left, and perplexities.
void showMatrices(llvm::ArrayRef<FactoredMatrix> plan);
void showParameters(const ModelConfig &config,
                    llvm::ArrayRef<FactoredMatrix> plan);
/// What a speed-up came to; null is none.
void showSpeedUp(const llvm::json::Value &speedUp);
void showEvaluation(const llvm::json::Object &manifest);

/// All of it as a page; no path is none.
llvm::Error writePage(llvm::StringRef path, llvm::StringRef model,
                      llvm::StringRef folder, llvm::json::Object manifest);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_COMPRESS_SHOWRESULTS_H
