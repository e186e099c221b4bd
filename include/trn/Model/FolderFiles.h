//===- FolderFiles.h - What lies beside weights in a folder -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_FOLDERFILES_H
#define TRN_MODEL_FOLDERFILES_H

#include "trn/Model/Checkpoint.h"

namespace mlir::trn {

/// Fails if the disk that `folder` is on, or will be, has less than `bytes`.
llvm::Error checkDiskSpace(llvm::StringRef folder, uint64_t bytes);

/// Fails if one of the files that `writeFolderFiles` copies from the folder
/// `model` is a link that leads out of it, but for a link of a snapshot in the
/// cache of Hugging Face to a blob of the same repository.
llvm::Error checkFolderFiles(llvm::StringRef model);

/// Writes what a model of shape `written` has in `folder` beside the weights,
/// which are those of `checkpoint` or were made from them:
/// - config.json: that of the checkpoint with the ranks and the sizes of MLPs;
///   with factors, or MLPs of several sizes, `architectures` is what no other
///   program takes for a dense model
/// - README.md, which says how to load it
/// - all other files of the folder `model`, but weights and what says of them,
///   and `tokenizer`, if that is no empty path, as tokenizer.bin or .json
llvm::Error writeFolderFiles(llvm::StringRef folder,
                             const Checkpoint &checkpoint,
                             const ModelConfig &written, ElementType type,
                             llvm::StringRef model, llvm::StringRef tokenizer);

} // namespace mlir::trn

#endif // TRN_MODEL_FOLDERFILES_H
