//===- Parts.h - Parameters of a model by part ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_PARTS_H
#define TRN_MODEL_PARTS_H

#include "trn/Model/Config.h"

namespace mlir::trn {

/// A part such as `mlp`, and its parameters in all layers together.
struct ParameterPart {
  llvm::StringRef name;
  int64_t count = 0;
};

/// Embedding, attention, MLPs, norms and head, if present. Fails if their sum
/// exceeds 64 bits.
llvm::Expected<std::vector<ParameterPart>>
countParts(const ModelConfig &config);

/// The same from `config.json`, possibly of a model with experts (mixtral,
/// qwen3_moe), which count as `experts`; their selection is `router`. Fails as
/// `parseConfig` does.
llvm::Expected<std::vector<ParameterPart>> countParts(llvm::StringRef json);

} // namespace mlir::trn

#endif // TRN_MODEL_PARTS_H
