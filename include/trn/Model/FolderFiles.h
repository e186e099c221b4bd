//===- FolderFiles.h - Files beside the weights in a folder -----*- C++ -*-===//
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

/// Fails if the disk of `folder`, which need not exist, has less than `bytes`.
llvm::Error checkDiskSpace(llvm::StringRef folder, uint64_t bytes);

/// Fails if a file that `writeFolderFiles` would copy from the folder `model`
/// is a link out of it. Links to blobs of the same repository in Hugging Face's
/// cache are allowed.
llvm::Error checkFolderFiles(llvm::StringRef model);

/// Writes the files beside the weights in `folder`, for a model of shape
/// `written`. Its weights are those of `checkpoint` or made from them.
/// - config.json: the checkpoint's, with ranks and sizes of MLPs. With factors,
///   or MLPs of several sizes, `architectures` is unknown to other programs, so
///   that none takes it for a dense model
/// - README.md, which says how to load it
/// - all other files of the folder `model`, except weights and their
///   descriptions
/// - `tokenizer`, unless empty, as tokenizer.bin or .json
llvm::Error writeFolderFiles(llvm::StringRef folder,
                             const Checkpoint &checkpoint,
                             const ModelConfig &written, ElementType type,
                             llvm::StringRef model, llvm::StringRef tokenizer);

} // namespace mlir::trn

#endif // TRN_MODEL_FOLDERFILES_H
