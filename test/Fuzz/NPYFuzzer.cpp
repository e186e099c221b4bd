//===- NPYFuzzer.cpp - Feed bytes to the reader of npy files --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/NPY.h"

using namespace mlir::trn;

extern "C" int LLVMFuzzerTestOneInput(const char *data, size_t size) {
  llvm::Expected<ArrayView> view = parseNPY({data, size});
  if (!view) {
    llvm::consumeError(view.takeError());
    return 0;
  }
  // What was accepted can be read to its end.
  llvm::Expected<HostTensor> tensor =
      HostTensor::create(view->type, view->shape);
  if (tensor)
    llvm::cantFail(tensor->assign(*view));
  else
    llvm::consumeError(tensor.takeError());
  return 0;
}
