//===- LayerStore.h - Layers that are done already --------------*- C++ -*-===//
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

/// The names of both factors of a module. Other tools give the first one, which
/// reads x, the v of W = U S V.
std::string firstFactorName(llvm::StringRef module);
std::string secondFactorName(llvm::StringRef module);

/// A weight of a layer by the end of its name, as in `mlp.gate_proj`.
Linear &linearOf(Layer &layer, llvm::StringRef module);
const Linear &linearOf(const Layer &layer, llvm::StringRef module);

/// A tensor that a weight is after compression, and where its values are.
struct PlacedTensor {
  std::string name;
  llvm::SmallVector<int64_t, 2> shape;
  std::vector<float> Linear::*values;
};
/// Both factors, or the thin weight; none of a weight that stays as it is.
std::vector<PlacedTensor> listTensors(const FactoredMatrix &matrix);

/// Factors and thin weights in f32, layer by layer in files of a folder, so
/// that work that was interrupted can go on.
class LayerStore {
public:
  /// Makes the folder. `work` says what is done; a folder with other work in
  /// it is refused, one with the same goes on.
  static llvm::Expected<LayerStore> open(llvm::StringRef folder,
                                         llvm::json::Object work);

  bool contains(int64_t layer) const;
  /// Writes what `layer` has of `matrices` that change, all of its number, with
  /// their figures and whatever else `record` has.
  llvm::Error save(int64_t number, llvm::ArrayRef<FactoredMatrix> matrices,
                   const Layer &layer, llvm::json::Object record) const;
  /// Puts it into `layer` and the figures into `matrices`, and returns
  /// the record.
  llvm::Expected<llvm::json::Object>
  load(int64_t number, llvm::MutableArrayRef<FactoredMatrix> matrices,
       Layer &layer) const;
  /// When the work is done.
  llvm::Error remove() const;

private:
  explicit LayerStore(llvm::StringRef folder) : folder(folder.str()) {}
  std::string pathOf(int64_t layer, llvm::StringRef extension) const;

  std::string folder;
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_LAYERSTORE_H
