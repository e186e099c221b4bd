//===- Shards.h - Tensors in several files ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_SHARDS_H
#define TRN_MODEL_SHARDS_H

#include "trn/Support/Safetensors.h"
#include <map>

namespace mlir::trn {

/// The tensors of a safetensors file, or of all files in an index, as Hugging
/// Face writes them. They stay mapped while this object lives.
class Shards {
public:
  /// `place` is a file, an index `*.json`, or a folder with model.safetensors
  /// or model.safetensors.index.json.
  static llvm::Expected<Shards> open(llvm::StringRef place);

  const std::map<std::string, SafetensorsFile> &files() const { return shards; }
  /// The file with a tensor, or null.
  const std::string *fileOf(llvm::StringRef name) const;
  /// The values of a tensor of type BF16, F16 or F32; errors name the file.
  llvm::Expected<ArrayView> lookup(llvm::StringRef name) const;
  /// The names of all tensors, sorted.
  std::vector<llvm::StringRef> names() const;

private:
  llvm::Error openFolder(llvm::StringRef folder);
  llvm::Error openIndex(llvm::StringRef index);
  llvm::Error openIndexed(llvm::StringRef folder, llvm::StringRef text);
  llvm::Error openShard(llvm::StringRef folder, llvm::StringRef name);
  /// All tensors are in one file.
  llvm::Error openSingle(llvm::StringRef folder, llvm::StringRef name);

  std::map<std::string, SafetensorsFile> shards;           // by their names
  std::map<std::string, std::string, std::less<>> shardOf; // by tensor
};

} // namespace mlir::trn

#endif // TRN_MODEL_SHARDS_H
