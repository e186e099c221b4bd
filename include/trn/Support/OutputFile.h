//===- OutputFile.h - Files that are whole or absent ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_OUTPUTFILE_H
#define TRN_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <string>

namespace mlir::trn {

class GzipStream;

/// An output file, complete or absent. It is written beside its path and
/// renamed by `keep`; without that it vanishes, also if a signal ends the
/// process. Devices, pipes and standard output (`-`) are written directly. A
/// `.gz` file is compressed.
class OutputFile {
public:
  static llvm::Expected<OutputFile> open(llvm::StringRef path);

  OutputFile(OutputFile &&);
  OutputFile &operator=(OutputFile &&) = delete;
  ~OutputFile();

  llvm::raw_ostream &os();

  /// Nothing may be written after this.
  llvm::Error keep();

private:
  explicit OutputFile(llvm::StringRef path);
  llvm::Error fail(std::error_code problem) const;
  llvm::Error openStream();
  llvm::Error openBeside(llvm::StringRef target);

  std::string path;
  /// The names before and after renaming, or empty.
  std::string temporary, target;
  std::unique_ptr<llvm::raw_fd_ostream> stream;
  /// Compresses into `stream`; null if that is written directly.
  std::unique_ptr<GzipStream> packed;
};

/// Writes a whole file; does nothing for an empty path.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> write);

/// Fails if one of `outputs` cannot be written, two are the same file, or one
/// is a file of `inputs`, however paths are spelt. Empty paths do not count.
llvm::Error checkOutputs(llvm::ArrayRef<llvm::StringRef> outputs,
                         llvm::ArrayRef<llvm::StringRef> inputs);

} // namespace mlir::trn

#endif // TRN_SUPPORT_OUTPUTFILE_H
