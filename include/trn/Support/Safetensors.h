//===- Safetensors.h - Read safetensors checkpoints -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_SAFETENSORS_H
#define TRN_SUPPORT_SAFETENSORS_H

#include "trn/Support/HostTensor.h"
#include "trn/Support/InputFile.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include <vector>

namespace mlir::trn {

/// A checkpoint: 8 bytes of header length, a JSON object that describes each
/// tensor, and the values. The file stays mapped while this object lives.
class SafetensorsFile {
public:
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);
  /// The same for bytes in memory. Checks every tensor: their values follow
  /// each other and fill the file.
  static llvm::Expected<SafetensorsFile>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);

  bool contains(llvm::StringRef name) const { return tensors.contains(name); }
  /// The names of all tensors, in no order.
  auto names() const { return tensors.keys(); }
  /// See `releasePages`.
  void release() const { releasePages(*buffer); }
  /// The values of one tensor of type BF16, F16, F32, I8 or F8_E4M3.
  llvm::Expected<ArrayView> lookup(llvm::StringRef name) const;
  /// The values of one tensor of this shape, of these types or F64.
  llvm::Expected<std::vector<double>>
  loadDoubles(llvm::StringRef name, llvm::ArrayRef<int64_t> shape) const;

private:
  struct Tensor {
    std::string type;
    llvm::SmallVector<int64_t, 4> shape;
    /// Its values, as an offset in bytes after the header.
    int64_t begin, end;
  };

  SafetensorsFile() = default;
  llvm::Error checkLayout() const;

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::StringMap<Tensor> tensors;
  llvm::StringRef values;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_SAFETENSORS_H
