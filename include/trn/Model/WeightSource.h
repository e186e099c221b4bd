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

/// Tensors by Hugging Face's names and in its order of rows. Files stay mapped
/// while this object, a copy of it or a borrowed tensor lives.
class WeightSource {
public:
  /// `place` is for `Shards`, or a `*.bin` of llama2.c.
  static llvm::Expected<WeightSource> open(llvm::StringRef place);

  bool has(llvm::StringRef name) const;
  /// The names of all tensors.
  std::vector<std::string> names() const;
  /// An existing tensor in this type and shape. It borrows the mapped file if
  /// that has the same layout and nobody writes it, and is a copy otherwise.
  /// Fails if shapes or types do not fit, or if a value of llama2.c that moves
  /// is not finite.
  llvm::Expected<HostTensor> load(llvm::StringRef name, HostType type,
                                  llvm::ArrayRef<int64_t> shape,
                                  bool mayWrite = false) const;

private:
  using Files = std::variant<Shards, Checkpoint>;

  llvm::Error assign(llvm::StringRef name, const ArrayView &view,
                     HostTensor &into) const;

  std::shared_ptr<const Files> files;
};

} // namespace mlir::trn

#endif // TRN_MODEL_WEIGHTSOURCE_H
