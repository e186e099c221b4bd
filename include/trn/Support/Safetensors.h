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
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace mlir::trn {

/// A checkpoint: 8 bytes of header length, a JSON object that describes each
/// tensor, and the values. The file stays mapped while this object lives.
class SafetensorsFile {
public:
  static llvm::Expected<SafetensorsFile> open(llvm::StringRef path);
  /// For bytes that are in memory already.
  static llvm::Expected<SafetensorsFile>
  parse(std::unique_ptr<llvm::MemoryBuffer> buffer);

  bool contains(llvm::StringRef name) const;
  /// The values of one tensor of type BF16, F16 or F32.
  llvm::Expected<ArrayView> lookup(llvm::StringRef name) const;

private:
  SafetensorsFile() = default;

  std::unique_ptr<llvm::MemoryBuffer> buffer;
  llvm::json::Object header;
  llvm::StringRef values;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_SAFETENSORS_H
