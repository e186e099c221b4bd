//===- FileKinds.h - What files beside models are ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_MODEL_FILEKINDS_H
#define TRN_LIB_MODEL_FILEKINDS_H

#include "trn/Model/Config.h"

namespace mlir::trn {

/// Whether a file of this name is one that torch pickled.
bool isPickle(llvm::StringRef name);
llvm::Error refusePickle(llvm::StringRef path);
/// Fails for files that are none of llama2.c, by their name.
llvm::Error refuseOthers(llvm::StringRef path);

/// Fails if a folder without safetensors has a model in GGUF.
llvm::Error refuseFolderOfOthers(llvm::StringRef folder);

/// The shape in the first bytes of a file of llama2.c. Fails for files that are
/// called .bin as well.
llvm::Expected<ModelConfig> readLlama2cHeader(llvm::StringRef bytes);

} // namespace mlir::trn

#endif // TRN_LIB_MODEL_FILEKINDS_H
