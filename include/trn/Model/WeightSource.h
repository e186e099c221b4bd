//===- WeightSource.h - Tensors that programs take --------------*- C++ -*-===//
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

/// Tensors under the names and in the order of rows of Hugging Face. They stay
/// mapped while this object lives.
class WeightSource {
public:
  /// `place` is what `Shards` opens, or `*.bin` of llama2.c.
  static llvm::Expected<WeightSource> open(llvm::StringRef place);

  bool has(llvm::StringRef name) const;
  /// The names of all tensors.
  std::vector<std::string> names() const;
  /// Copies a tensor that is there. Fails if shapes or types do not fit, or a
  /// value of llama2.c that changes its place is not finite.
  llvm::Error assign(llvm::StringRef name, HostTensor &into) const;

private:
  std::variant<Shards, Checkpoint> files;
};

} // namespace mlir::trn

#endif // TRN_MODEL_WEIGHTSOURCE_H
