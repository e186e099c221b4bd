//===- Checkpoint.h - Weights of language models ----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_CHECKPOINT_H
#define TRN_MODEL_CHECKPOINT_H

#include "trn/Model/Adapter.h"
#include "trn/Model/Config.h"
#include "trn/Model/Shards.h"

namespace mlir::trn {

/// The weights of a model, mapped and never copied whole:
/// - a file of llama2.c (version 0): seven sizes, then all weights in f32
/// - a folder of Hugging Face: config.json, and model.safetensors or shards
///   with model.safetensors.index.json
///
/// Tensors have Hugging Face's names in both. After opening, all tensors of the
/// model exist and have their shapes.
class Checkpoint {
public:
  static llvm::Expected<Checkpoint> open(llvm::StringRef path);

  const ModelConfig &config() const { return shape; }
  /// The object in config.json, with irrelevant keys, too, or its equivalent
  /// for a file of llama2.c.
  const llvm::json::Object &json() const { return *description.getAsObject(); }
  /// The values of a tensor of the model, as in the file.
  ArrayView lookup(llvm::StringRef name) const;

  /// Pages of the file with a tensor no longer count as memory of this process.
  /// `load` does so itself.
  void release(llvm::StringRef name) const;

  /// From now on, an adapter in PEFT's format changes loaded weights.
  llvm::Error adapt(llvm::StringRef folder);
  /// The modules that the adapter changes.
  std::vector<std::string> adaptedModules() const {
    return adapter ? adapter->modules() : std::vector<std::string>();
  }
  /// The values of a tensor, or of some of its rows, in f32. Fails, with tensor
  /// and index, if one is not finite.
  llvm::Expected<std::vector<float>> load(llvm::StringRef name) const;
  llvm::Expected<std::vector<float>>
  loadRows(llvm::StringRef name, int64_t first, int64_t count) const;

private:
  Checkpoint() = default;
  static llvm::Expected<Checkpoint> openLlama2c(llvm::StringRef path);
  static llvm::Expected<Checkpoint> openFolder(llvm::StringRef path);
  llvm::Error placeTensors(llvm::StringRef bytes);
  llvm::Error findTensors();
  llvm::Error checkOthers() const;

  llvm::Error scaleRows(llvm::StringRef name, int64_t first, int64_t columns,
                        llvm::MutableArrayRef<float> values) const;

  /// The file with a tensor.
  std::string pathOf(llvm::StringRef tensor) const;

  std::string place; // of the file or the folder
  ModelConfig shape;
  llvm::json::Value description = nullptr;
  std::unique_ptr<llvm::MemoryBuffer> file; // of llama2.c
  Shards shards;
  std::map<std::string, ArrayView, std::less<>> tensors;
  std::optional<Adapter> adapter;
};

} // namespace mlir::trn

#endif // TRN_MODEL_CHECKPOINT_H
