//===- WeightSource.h - Weights for programs --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_MODEL_WEIGHTSOURCE_H
#define TRN_MODEL_WEIGHTSOURCE_H

#include "trn/Model/Checkpoint.h"
#include "trn/Support/HostTensor.h"
#include <variant>

namespace mlir::trn {

/// Tensors by Hugging Face's names and in its order of rows. They stay mapped
/// while this object lives.
class WeightSource {
public:
  /// `place` is for `Shards`, or a `*.bin` of llama2.c.
  static llvm::Expected<WeightSource> open(llvm::StringRef place);

  bool has(llvm::StringRef name) const;
  /// The names of all tensors.
  std::vector<std::string> names() const;
  /// Copies an existing tensor. Fails if shapes or types do not fit, or if a
  /// value of llama2.c that moves is not finite.
  llvm::Error assign(llvm::StringRef name, HostTensor &into) const;

private:
  std::variant<Shards, Checkpoint> files;
};

} // namespace mlir::trn

#endif // TRN_MODEL_WEIGHTSOURCE_H
