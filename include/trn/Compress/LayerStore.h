//===- LayerStore.h - Storage for finished layers ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_LAYERSTORE_H
#define TRN_COMPRESS_LAYERSTORE_H

#include "trn/Compress/RankPlan.h"
#include "trn/Model/Layer.h"

namespace mlir::trn {

/// The names of both factors of a module. The first one, which reads x, is
/// named v as in other tools: W = U S V.
std::string firstFactorName(llvm::StringRef module);
std::string secondFactorName(llvm::StringRef module);

/// A weight of a layer by the end of its name, such as `mlp.gate_proj`.
Linear &linearOf(Layer &layer, llvm::StringRef module);
const Linear &linearOf(const Layer &layer, llvm::StringRef module);

/// A tensor of a compressed weight, and the member with its values.
struct PlacedTensor {
  std::string name;
  llvm::SmallVector<int64_t, 2> shape;
  std::vector<float> Linear::*values;
};
/// Both factors, or the thin weight; none for an unchanged weight.
std::vector<PlacedTensor> listTensors(const FactoredMatrix &matrix);

/// Factors and thin weights in f32, in a folder with files per layer, so that
/// interrupted work can continue.
class LayerStore {
public:
  /// Makes the folder. `work` describes the work: a folder of other work is
  /// refused, one of the same work continues.
  static llvm::Expected<LayerStore> open(llvm::StringRef folder,
                                         llvm::json::Object work);

  bool contains(int64_t layer) const;
  /// Writes the changed `matrices` of layer `number` from `layer`, with their
  /// figures and `record`.
  llvm::Error save(int64_t number, llvm::ArrayRef<FactoredMatrix> matrices,
                   const Layer &layer, llvm::json::Object record) const;
  /// Reads them into `layer`, and the figures into `matrices`; returns the
  /// record.
  llvm::Expected<llvm::json::Object>
  load(int64_t number, llvm::MutableArrayRef<FactoredMatrix> matrices,
       Layer &layer) const;
  /// Call it when the work is done.
  llvm::Error remove() const;

private:
  explicit LayerStore(llvm::StringRef folder) : folder(folder.str()) {}
  std::string pathOf(int64_t layer, llvm::StringRef extension) const;

  std::string folder;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_LAYERSTORE_H
