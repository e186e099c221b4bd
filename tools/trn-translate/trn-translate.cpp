//===- trn-translate.cpp - mlir-translate with our translations -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CheckFiles.h"
#include "../ToolStreams.h"
#include "trn/Support/Version.h"
#include "trn/Target/NKI/TranslateToNKI.h"

#include "mlir/Tools/mlir-translate/MlirTranslateMain.h"
#include "llvm/Support/CommandLine.h"

int main(int argc, char **argv) {
  mlir::trn::surviveWriteErrors();
  llvm::cl::SetVersionPrinter(mlir::trn::printVersion);
  if (!mlir::trn::checkFiles("trn-translate", argc, argv))
    return 1;
  bool saysAll = true;
  mlir::trn::registerToNKITranslation(saysAll);
  bool failed = mlir::failed(mlir::mlirTranslateMain(
      argc, argv, "trn-mlir: translate compiled kernels to other languages\n"));
  return mlir::trn::finishStreams("trn-translate", failed    ? 1
                                                   : saysAll ? 0
                                                             : 2);
}
