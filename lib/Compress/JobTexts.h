//===- JobTexts.h - What a compression is fitted to -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_JOBTEXTS_H
#define TRN_LIB_COMPRESS_JOBTEXTS_H

#include "trn/Compress/CompressionJob.h"
#include "trn/Model/HostModel.h"
#include "trn/Model/Texts.h"
#include <set>

namespace mlir::trn {

/// The stories that a job reads.
struct JobTexts {
  using Stories = std::vector<HostModel::Tokens>;

  /// Of the text of the calibration: what weights are fitted to, what is
  /// trained on, and what errors are measured on, which is `isHeldOut` if
  /// nothing was fitted to it.
  Stories calibration, training, measured;
  bool isHeldOut = false;
  std::vector<Stories> evaluation; // by text

  /// The first three only if something `isFitted`. Fails where a text cannot be
  /// read, or is to be evaluated and was fitted to.
  llvm::Error read(const CompressionJob &job, const ModelConfig &config,
                   bool isFitted);

private:
  llvm::Error readHeldOut(const CompressionJob &job, SequenceReader &reader,
                          int64_t most);
  llvm::Error refuseFitted(const CompressionJob &job) const;
  std::set<HostModel::Tokens> fittedStories() const;
};

/// The stories that a job calibrates on.
llvm::Expected<std::vector<HostModel::Tokens>>
readCalibration(const CompressionJob &job, const ModelConfig &config);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_JOBTEXTS_H
