//===- OutputFile.cpp - Files that a run writes ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;

llvm::Error
mlir::trn::writeFile(StringRef path,
                     function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return llvm::Error::success();
  std::error_code problem;
  llvm::ToolOutputFile file(path, problem, llvm::sys::fs::OF_Text);
  if (!problem) {
    write(file.os());
    file.os().flush();
    problem = file.os().error();
    file.os().clear_error();
  }
  if (problem)
    return llvm::createStringError(problem, "cannot write '" + path +
                                                "': " + problem.message());
  file.keep();
  return llvm::Error::success();
}

LogicalResult mlir::trn::checkPaths(Operation *op, ArrayRef<StringRef> paths) {
  for (auto [index, path] : llvm::enumerate(paths)) {
    if (!path.empty() && llvm::is_contained(paths.take_front(index), path))
      return op->emitError()
             << "two outputs would be written to '" << path << "'";
    StringRef folder = llvm::sys::path::parent_path(path);
    std::error_code problem;
    if (llvm::sys::fs::is_directory(path))
      problem = std::make_error_code(std::errc::is_a_directory);
    else if (!folder.empty() && !llvm::sys::fs::is_directory(folder))
      problem = std::make_error_code(std::errc::no_such_file_or_directory);
    if (problem)
      return op->emitError()
             << "cannot write '" << path << "': " << problem.message();
  }
  return success();
}

LogicalResult
mlir::trn::writeFile(Operation *op, StringRef path,
                     function_ref<void(llvm::raw_ostream &)> write) {
  if (llvm::Error problem = writeFile(path, write))
    return op->emitError() << llvm::toString(std::move(problem));
  return success();
}
