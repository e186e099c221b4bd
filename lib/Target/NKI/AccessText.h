//===- AccessText.h - Accesses and conditions as text -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_ACCESSTEXT_H
#define TRN_LIB_TARGET_NKI_ACCESSTEXT_H

#include "DeviceLoops.h"
#include "trn/Target/NKI/NKIOptions.h"

namespace mlir::trn::nki {

/// Writes which part of a tensor an instruction accesses, and what counts
/// loops.
class AccessText {
public:
  AccessText(const KernelReading &kernel, NKIVersion version)
      : kernel(kernel), isBeta(version == NKIVersion::Beta1) {}

  /// The name of a tensor, sliced as need be. Nothing if the version has no way
  /// to say it: in the beta of NKI, accesses are indices of dimensions.
  std::optional<std::string> view(const Access &access) const;
  /// `table.ap(..., vector_offset=indices)`, in the beta `table[indices[...],
  /// ...]`: the rows of `table` that a tile of indices chooses, or the block
  /// that one does. Nothing if the version has no way to say it.
  std::optional<std::string> rows(const Access &table, const Access &indices,
                                  bool choosesBlock) const;
  std::string print(const LinearExpr &expr) const;
  /// When a matmul adds, `k > 0`, instead of overwriting.
  std::string accumulates(MatmulOp matmul) const;

  StringRef nameOf(const Tensor &tensor) const {
    return tensorNames.find(tensor.value)->second;
  }
  std::string nameOf(scf::ForOp loop) const {
    return loopNames[kernel.numberOf(loop)];
  }
  void setName(Value tensor, StringRef name) {
    tensorNames[tensor] = name.str();
  }
  void setName(scf::ForOp loop, StringRef name);

  /// The loop of the device that is printed, if there is one.
  std::optional<DeviceLoop> device;

private:
  /// An access by its subscripts of `base`, which is a tensor of `shape`.
  std::string subscribed(StringRef base, ArrayRef<int64_t> shape,
                         const Access &access,
                         const Subscripts &subscripts) const;
  std::string indexed(StringRef base, const Access &access,
                      const Subscripts &subscripts) const;
  std::optional<std::string> repeatedView(const Access &access) const;
  std::optional<std::string> indexedRows(const Access &table,
                                         const Access &indices) const;
  /// An access by its strides and sizes.
  std::string pattern(const Access &access) const;
  /// `[0:128, k, m * 64:(m + 1) * 64]`.
  std::string slices(const Subscripts &subscripts,
                     ArrayRef<int64_t> shape) const;
  std::string printEnd(const LinearExpr &start, int64_t size) const;

  const KernelReading &kernel;
  bool isBeta;
  llvm::DenseMap<Value, std::string> tensorNames;
  SmallVector<std::string> loopNames; // by number
};

/// `(128, 512)`.
std::string tupleOf(ArrayRef<int64_t> sizes);
/// `[[1, 128], [2, 64]]`.
std::string pairsOf(ArrayRef<std::array<int64_t, 2>> pairs);
/// `nl.arange(64)[:, None]`: counts along one of `rank` dimensions.
std::string axis(int64_t size, unsigned dim, unsigned rank);

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_ACCESSTEXT_H
