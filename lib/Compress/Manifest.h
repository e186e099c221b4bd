//===- Manifest.h - What was done to a model --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of trn_compress.json. There is nothing in it that differs between
// two runs of the same job, such as seconds.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_MANIFEST_H
#define TRN_LIB_COMPRESS_MANIFEST_H

#include "trn/Compress/CompressionJob.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Model/HostModel.h"

namespace mlir::trn {

/// The files of a checkpoint, by their names, with their hashes.
llvm::Expected<llvm::json::Object> describeSource(llvm::StringRef model);
/// The text, its stories and tokens, and what cut it into them.
llvm::Expected<llvm::json::Object>
describeText(llvm::StringRef file, llvm::ArrayRef<HostModel::Tokens> stories);

/// All options that shape the factors.
llvm::json::Object describeOptions(const CompressionJob &job);
/// Parameters before and after.
llvm::json::Object describeModel(const ModelConfig &before,
                                 llvm::ArrayRef<FactoredMatrix> plan);
/// What is known of the factors of a weight.
llvm::json::Object describeFactors(const Factors &factors);
llvm::json::Array describeMatrices(llvm::ArrayRef<FactoredMatrix> plan);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_MANIFEST_H
