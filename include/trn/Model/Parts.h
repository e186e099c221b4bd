//===- Parts.h - Where the parameters of a model are ------------*- C++ -*-===//
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

/// `mlp` and how many parameters it has in all layers together.
struct ParameterPart {
  llvm::StringRef name;
  int64_t count = 0;
};

/// Embedding, attention, MLPs, norms and head, as far as there are any. Fails
/// if their sum has no 64 bits.
llvm::Expected<std::vector<ParameterPart>>
countParts(const ModelConfig &config);

/// The same of `config.json`, which may be one of a model with experts
/// (mixtral, qwen3_moe): these are `experts`, and what chooses among them is
/// `router`. Fails as `parseConfig` does.
llvm::Expected<std::vector<ParameterPart>> countParts(llvm::StringRef json);

} // namespace mlir::trn

#endif // TRN_MODEL_PARTS_H
