//===- Checkpoint.h - Weights of language models ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_CHECKPOINT_H
#define TRN_MODEL_CHECKPOINT_H

#include "trn/Model/Config.h"
#include "trn/Support/HostTensor.h"
#include "trn/Support/Safetensors.h"

namespace mlir::trn {

/// The weights of a model, mapped and never copied whole:
/// - a file of llama2.c (version 0): seven sizes, then all weights in f32
/// - a folder of Hugging Face: config.json, and model.safetensors or shards
///   with model.safetensors.index.json
/// Either way tensors have the names of Hugging Face. When it is open, all
/// tensors of the model are there and have their shapes.
class Checkpoint {
public:
  static llvm::Expected<Checkpoint> open(llvm::StringRef path);

  const ModelConfig &config() const { return shape; }
  /// The values of a tensor that the model has.
  ArrayView lookup(llvm::StringRef name) const;

private:
  Checkpoint() = default;
  static llvm::Expected<Checkpoint> openLlama2c(llvm::StringRef path);
  static llvm::Expected<Checkpoint> openFolder(llvm::StringRef path);
  llvm::Error placeTensors(llvm::StringRef bytes);
  llvm::Error openShards(llvm::StringRef folder);
  llvm::Error openShard(llvm::StringRef folder, llvm::StringRef file);
  llvm::Error findTensors();

  ModelConfig shape;
  std::unique_ptr<llvm::MemoryBuffer> file;      // of llama2.c
  std::map<std::string, SafetensorsFile> shards; // by their names
  std::map<std::string, std::string> shardOf;    // by tensor
  std::map<std::string, ArrayView, std::less<>> tensors;
};

} // namespace mlir::trn

#endif // TRN_MODEL_CHECKPOINT_H
