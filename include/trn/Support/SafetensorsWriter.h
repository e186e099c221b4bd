//===- SafetensorsWriter.h - Write safetensors checkpoints ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_SAFETENSORSWRITER_H
#define TRN_SUPPORT_SAFETENSORSWRITER_H

#include "trn/Support/FloatTypes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include <map>
#include <memory>
#include <string>

namespace mlir::trn {

/// A file of tensors whose names and sizes are known first. Values are never
/// held in memory. The complete file appears on commit.
class SafetensorsWriter {
public:
  struct Tensor {
    std::string name;
    ElementType type;
    llvm::SmallVector<int64_t, 2> shape;
  };

  /// Values are in the order of `tensors`. `format`, if given, is that of
  /// `__metadata__`, without which some readers fail.
  static llvm::Expected<SafetensorsWriter>
  create(llvm::StringRef path, llvm::ArrayRef<Tensor> tensors,
         llvm::StringRef format = "");

  /// Rounds values of a tensor, from element `first` on, to its type.
  void write(llvm::StringRef name, llvm::ArrayRef<float> values,
             int64_t first = 0);
  /// Fails if any write failed.
  llvm::Error commit();

private:
  struct Place {
    ElementType type;
    uint64_t begin; // in the file
  };

  struct Discard {
    void operator()(llvm::sys::fs::TempFile *file) const;
  };

  SafetensorsWriter() = default;
  void writeBytes(uint64_t begin, llvm::ArrayRef<char> bytes);
  llvm::Error fail(std::error_code error) const;

  std::string path;
  std::unique_ptr<llvm::sys::fs::TempFile, Discard> file;
  std::error_code problem; // the first one of writing
  std::map<std::string, Place, std::less<>> places;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_SAFETENSORSWRITER_H
