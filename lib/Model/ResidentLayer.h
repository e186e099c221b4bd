//===- ResidentLayer.h - Weights that stay in memory ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_MODEL_RESIDENTLAYER_H
#define TRN_LIB_MODEL_RESIDENTLAYER_H

#include "trn/Model/Layer.h"

namespace mlir::trn {

class Workers;

/// Memory of large pages, where the system has them: what is read from its
/// beginning to its end comes a quarter faster.
class WeightMemory {
public:
  /// Room for so many bytes; the program ends if there is none.
  void allocate(int64_t bytes);
  /// The next part of it, aligned for any vector.
  char *take(int64_t bytes);

private:
  struct Free {
    void operator()(char *memory) const;
  };

  std::unique_ptr<char, Free> memory;
  char *next = nullptr;
};

/// A matrix [out, in] in f32, or in bf16 if that has all of its values.
struct ResidentMatrix {
  ElementType type = ElementType::F32;
  int64_t out = 0, in = 0;
  const char *data = nullptr;

  /// `y = x W^T` for `rows` rows of x, y being [rows, out]. Shared out among
  /// `workers`, which changes no value.
  void multiply(const float *x, int64_t rows, float *y, Workers &workers) const;
};

/// `Linear`, held so.
struct ResidentLinear {
  ResidentMatrix weight, second; // `second` has no data: `weight` is whole
  std::vector<float> bias;

  std::vector<float> apply(const std::vector<float> &x, int64_t rows,
                           Workers &workers) const;
};

/// `Layer`, held so.
struct ResidentLayer {
  explicit ResidentLayer(Layer layer);

  std::vector<float> attentionNorm, mlpNorm, queryNorm, keyNorm;
  ResidentLinear query, key, value, output, gate, up, down;
  std::optional<int64_t> window;

private:
  WeightMemory memory;
};

/// Copies `values`, which are [out, in], to the memory that `allocate` makes.
ResidentMatrix hold(llvm::ArrayRef<float> values, int64_t out, int64_t in,
                    WeightMemory &memory);
/// How many bytes of memory `hold` takes.
int64_t measureHeld(llvm::ArrayRef<float> values);

} // namespace mlir::trn

#endif // TRN_LIB_MODEL_RESIDENTLAYER_H
