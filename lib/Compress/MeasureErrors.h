//===- MeasureErrors.h - What compressed weights lose -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_MEASUREERRORS_H
#define TRN_LIB_COMPRESS_MEASUREERRORS_H

#include "trn/Compress/LayerStore.h"
#include "trn/Model/HostModel.h"

namespace mlir::trn {

/// Sets `output_error` of what `plan` changes and `store` has: how far outputs
/// are from those of the whole weight, relative to them, for what the whole
/// model makes of `sequences`. Of an MLP that lost neurons its output is
/// compared, under the name of `down`. One pass of the whole model.
llvm::Error measureErrors(const Checkpoint &checkpoint,
                          llvm::ArrayRef<HostModel::Tokens> sequences,
                          const LayerStore &store, unsigned threads,
                          std::vector<FactoredMatrix> &plan);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_MEASUREERRORS_H
