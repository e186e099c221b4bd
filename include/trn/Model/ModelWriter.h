//===- ModelWriter.h - Write folders of language models ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_MODELWRITER_H
#define TRN_MODEL_MODELWRITER_H

#include "trn/Model/Checkpoint.h"
#include "trn/Support/SafetensorsWriter.h"

namespace mlir::trn {

/// A folder of Hugging Face: safetensors in one file or, above a size, in
/// several with an index. Tensors of llama2.c are turned to its order of rotary
/// elements. Weights that `config` stores in 8 bits are rounded to the nearest
/// multiples of a scale, of which the largest element of each row is the last.
class ModelWriter {
public:
  /// Makes the folder, which must not be there, for the tensors of `config`.
  static llvm::Expected<ModelWriter> create(llvm::StringRef folder,
                                            const ModelConfig &config,
                                            ElementType type,
                                            int64_t maxShardBytes);

  /// One of the tensors, as the model has it, with `columns` elements in a row
  /// (if it is not 0); rows and columns that are missing become zeros. Fails if
  /// the type cannot hold its values.
  llvm::Error write(llvm::StringRef name, llvm::ArrayRef<float> values,
                    int64_t columns = 0);
  /// All tensors of `checkpoint` that are as large in `compressed`, and weights
  /// that are whole here but come in factors. Fails if one is not finite.
  llvm::Error copyFrom(const Checkpoint &checkpoint,
                       const ModelConfig &compressed);
  /// When all tensors are written: their files and the index appear.
  llvm::Error finish();

private:
  ModelWriter() = default;
  llvm::Error copyTensor(const Checkpoint &checkpoint, llvm::StringRef name);
  /// Rows of a tensor, from `firstRow` on, as they are in the folder.
  void store(llvm::StringRef name, llvm::ArrayRef<float> values,
             int64_t firstRow = 0);
  /// The product of the factors of a module.
  llvm::Error copyWeight(const Checkpoint &checkpoint, llvm::StringRef module);

  std::string folder;
  ModelConfig config;
  ElementType type = ElementType::F32;
  std::vector<std::string> files;
  std::vector<SafetensorsWriter> shards;
  struct Place {
    size_t shard;
    int64_t rows, columns;
    std::optional<ElementType> stored; // in 8 bits
  };
  std::map<std::string, Place, std::less<>> places; // by tensor
  int64_t bytes = 0;
};

} // namespace mlir::trn

#endif // TRN_MODEL_MODELWRITER_H
