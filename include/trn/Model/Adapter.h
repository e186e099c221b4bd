//===- Adapter.h - Low-rank updates of weights ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_ADAPTER_H
#define TRN_MODEL_ADAPTER_H

#include "trn/Model/Config.h"
#include "trn/Support/HostTensor.h"
#include "trn/Support/Safetensors.h"

namespace mlir::trn {

/// A LoRA adapter in PEFT's format: a folder with adapter_config.json and
/// adapter_model.safetensors. Weights [out, in] become `W + scale B A` with A
/// [rank, in] and B [out, rank]; rows of B are in the order of Hugging Face.
class Adapter {
public:
  /// Opens it for a model. Fails, naming the key, if it is not a plain LoRA of
  /// the model's weights.
  static llvm::Expected<Adapter> open(llvm::StringRef folder,
                                      const ModelConfig &config);

  /// The changed modules, sorted by name.
  std::vector<std::string> modules() const;
  /// Adds the update of `module`, if any, to rows of its weight, from
  /// `firstRow` on. Fails if the update is not finite.
  llvm::Error add(llvm::StringRef module, int64_t firstRow,
                  llvm::MutableArrayRef<float> rows) const;

private:
  struct Update {
    std::string downKey, upKey; // of A and B
    int64_t out = 0, in = 0, rank = 0;
    double scale = 0;
    bool isTransposed = false; // the weight is [in, out]
    bool isRotated = false;    // the weight's rows are as llama2.c has them
  };

  explicit Adapter(SafetensorsFile file) : file(std::move(file)) {}
  llvm::Error pairKeys();
  llvm::Error place(const ModelConfig &config, const class AdapterConfig &);

  SafetensorsFile file;
  int64_t headDim = 0;
  std::map<std::string, Update, std::less<>> updates; // by module
};

/// A trained update of a module: `scale * up * down`.
struct AdapterUpdate {
  std::string module; // as `model.layers.0.mlp.gate_u_proj`
  int64_t out = 0, in = 0;
  std::vector<float> down, up; // A [rank, in], B [out, rank]
};

/// Writes `updates`, all of one rank and with `scale = alpha / rank`, in f32
/// and in PEFT's format, for PEFT and `Adapter::open`. `baseModel` is the model
/// that was trained. Makes the folder.
llvm::Error writeAdapter(llvm::StringRef folder,
                         llvm::ArrayRef<AdapterUpdate> updates, int64_t rank,
                         double alpha, llvm::StringRef baseModel);

} // namespace mlir::trn

#endif // TRN_MODEL_ADAPTER_H
