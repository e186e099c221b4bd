//===- trn-reduce.cpp - Shrink a failing module ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ToolStreams.h"
#include "trn/InitAll.h"
#include "trn/Support/OutputFile.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "llvm/Support/InitLLVM.h"

/// Upstream reads the command line and opens the files in one step, so this
/// looks at the words: none may name the file that `-o` does.
static llvm::Error checkFiles(llvm::ArrayRef<char *> words) {
  llvm::SmallVector<llvm::StringRef> inputs;
  llvm::StringRef output;
  for (size_t i = 0; i < words.size(); ++i) {
    llvm::StringRef word = words[i];
    if (!word.consume_front("-")) {
      inputs.push_back(word);
      continue;
    }
    word.consume_front("-");
    if (word == "o" && i + 1 < words.size())
      output = words[++i];
    else if (word.consume_front("o="))
      output = word;
  }
  return mlir::trn::checkOutputs(output, inputs);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (llvm::Error problem =
          checkFiles(llvm::ArrayRef(argv, argc).drop_front())) {
    llvm::WithColor::error(llvm::errs(), "trn-reduce")
        << llvm::toString(std::move(problem)) << "\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  mlir::trn::registerAllDialects(registry);
  mlir::registerAllPasses();
  mlir::trn::registerAllPasses();
  mlir::MLIRContext context(registry);
  return mlir::failed(mlir::mlirReduceMain(argc, argv, context));
}
