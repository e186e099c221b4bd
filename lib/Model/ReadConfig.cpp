//===- ReadConfig.cpp - The shape of a model from a file ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FileKinds.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/Paths.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir::trn;
using llvm::StringRef;

llvm::Expected<ModelConfig> mlir::trn::readConfig(StringRef path) {
  std::string file = llvm::sys::fs::is_directory(path)
                         ? joinPath(path, "config.json")
                         : path.str();
  bool isText = StringRef(file).ends_with(".json");
  if (!isText)
    if (llvm::Error error = refuseOthers(file))
      return error;
  auto buffer = readInputFile(file, isText);
  if (!buffer)
    return llvm::createFileError(file, buffer.takeError());
  StringRef bytes = (*buffer)->getBuffer();
  llvm::Expected<ModelConfig> config =
      isText ? parseConfig(bytes) : readLlama2cHeader(bytes);
  if (!config)
    return llvm::createFileError(file, config.takeError());
  return config;
}
