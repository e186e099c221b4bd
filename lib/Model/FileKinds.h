//===- FileKinds.h - What files beside models are ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_MODEL_FILEKINDS_H
#define TRN_LIB_MODEL_FILEKINDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::trn {

/// Whether a file of this name is one that torch pickled.
bool isPickle(llvm::StringRef name);
llvm::Error refusePickle(llvm::StringRef path);

} // namespace mlir::trn

#endif // TRN_LIB_MODEL_FILEKINDS_H
