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
/// Either way tensors have the names of Hugging Face. When it is open, all
/// tensors of the model are there and have their shapes.
class Checkpoint {
public:
  static llvm::Expected<Checkpoint> open(llvm::StringRef path);

  const ModelConfig &config() const { return shape; }
  /// The object in config.json, with keys that do not matter here too, or what
  /// says the same of a file of llama2.c.
  const llvm::json::Object &json() const { return *description.getAsObject(); }
  /// The values of a tensor that the model has, as the file has them.
  ArrayView lookup(llvm::StringRef name) const;

  /// What was read of the file that has a tensor does not count as memory of
  /// this process any more; `load` does so itself.
  void release(llvm::StringRef name) const;

  /// From now on, loaded weights are changed by an adapter of PEFT.
  llvm::Error adapt(llvm::StringRef folder);
  /// The modules that an adapter changes.
  std::vector<std::string> adaptedModules() const {
    return adapter ? adapter->modules() : std::vector<std::string>();
  }
  /// The values of a tensor, or of some of its rows, in f32. Fails, with the
  /// tensor and the index, if one is not finite.
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

  /// The file that has the values of a tensor.
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
