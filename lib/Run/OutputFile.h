//===- OutputFile.h - Files that a run writes -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUN_OUTPUTFILE_H
#define TRN_LIB_RUN_OUTPUTFILE_H

#include "mlir/IR/Operation.h"

namespace mlir::trn {

/// Fails at `op` if one of `paths` is clearly no place for a file or stands
/// there twice: nobody wants to learn that after a long run. Empty paths are no
/// files.
LogicalResult checkPaths(Operation *op, ArrayRef<StringRef> paths);

/// Opens the file `path`, lets `write` fill it, and keeps it. No path, no file;
/// nor is one left where something goes wrong.
llvm::Error writeFile(StringRef path,
                      function_ref<void(llvm::raw_ostream &)> write);

/// The same, with an error at `op`.
LogicalResult writeFile(Operation *op, StringRef path,
                        function_ref<void(llvm::raw_ostream &)> write);

} // namespace mlir::trn

#endif // TRN_LIB_RUN_OUTPUTFILE_H
