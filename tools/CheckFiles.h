//===- CheckFiles.h - Inputs that an output would overwrite -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_CHECKFILES_H
#define TRN_TOOLS_CHECKFILES_H

#include "ToolStreams.h"
#include "trn/Support/OutputFile.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::trn {

/// For tools whose main is upstream's, which reads the command line and opens
/// the files in one step: looks at the words, of which none may name the file
/// that `-o` does, and says if one does.
inline bool checkFiles(const char *tool, int argc, char **argv) {
  llvm::SmallVector<llvm::StringRef> inputs;
  llvm::StringRef output;
  for (int i = 1; i < argc; ++i) {
    llvm::StringRef word = argv[i];
    if (!word.consume_front("-")) {
      inputs.push_back(word);
      continue;
    }
    word.consume_front("-");
    if (word == "o" && i + 1 < argc)
      output = argv[++i];
    else if (word.consume_front("o="))
      output = word;
  }
  llvm::Error problem = checkOutputs(output, inputs);
  if (!problem)
    return true;
  printError(tool, llvm::toString(std::move(problem)));
  return false;
}

} // namespace mlir::trn

#endif // TRN_TOOLS_CHECKFILES_H
