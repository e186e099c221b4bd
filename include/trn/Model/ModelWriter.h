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

/// Writes a folder of Hugging Face: safetensors in one file or, above a size,
/// in several with an index. Tensors of llama2.c are brought into its order of
/// rotary elements. Weights that `config` stores in 8 bits are rounded to
/// multiples of a scale, chosen so that the row's largest element is the last
/// multiple.
class ModelWriter {
public:
  /// Makes the folder, which must not exist, for the tensors of `config`.
  static llvm::Expected<ModelWriter> create(llvm::StringRef folder,
                                            const ModelConfig &config,
                                            ElementType type,
                                            int64_t maxShardBytes);

  /// Writes one tensor in the model's layout, with `columns` elements per row
  /// (unless 0); missing rows and columns become zeros. Fails if the type
  /// cannot hold the values.
  llvm::Error write(llvm::StringRef name, llvm::ArrayRef<float> values,
                    int64_t columns = 0);
  /// Writes all tensors of `checkpoint` whose size is the same in `compressed`,
  /// and products of factors that are one weight there. Fails if one is not
  /// finite.
  llvm::Error copyFrom(const Checkpoint &checkpoint,
                       const ModelConfig &compressed);
  /// Call it when all tensors are written: makes files and index appear.
  llvm::Error finish();

private:
  ModelWriter() = default;
  llvm::Error copyTensor(const Checkpoint &checkpoint, llvm::StringRef name);
  /// Rows of a tensor, from `firstRow` on, in the folder's layout.
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
