//===- SafetensorsFuzzer.cpp - Feed bytes to the reader of checkpoints ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Safetensors.h"

using namespace mlir::trn;

extern "C" int LLVMFuzzerTestOneInput(const char *data, size_t size) {
  llvm::Expected<SafetensorsFile> file = SafetensorsFile::parse(
      llvm::MemoryBuffer::getMemBufferCopy({data, size}, "fuzz"));
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  for (llvm::StringRef name : file->names()) {
    llvm::Expected<ArrayView> view = file->lookup(name);
    if (!view) {
      llvm::consumeError(view.takeError());
      continue;
    }
    llvm::cantFail(llvm::cantFail(HostTensor::create(view->type, view->shape))
                       .assign(*view));
  }
  return 0;
}
