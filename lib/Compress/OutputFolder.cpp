//===- OutputFolder.cpp - The folder that trn-compress makes --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OutputFolder.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static bool isEmptyFolder(StringRef path) {
  std::error_code error;
  return llvm::sys::fs::is_directory(path) &&
         llvm::sys::fs::directory_iterator(path, error) ==
             llvm::sys::fs::directory_iterator() &&
         !error;
}

/// Fails if an input lies in the folder, which may be removed.
static llvm::Error keepInputs(const CompressionJob &job) {
  llvm::SmallString<0> folder;
  if (llvm::sys::fs::real_path(job.output, folder))
    return llvm::Error::success(); // it is not there
  std::vector<StringRef> inputs{job.model, job.calibration, job.tokenizer,
                                job.adapter};
  inputs.insert(inputs.end(), job.evaluation.begin(), job.evaluation.end());
  for (StringRef input : inputs) {
    llvm::SmallString<0> path;
    if (input.empty() || llvm::sys::fs::real_path(input, path))
      continue;
    StringRef rest = path;
    if (rest.consume_front(folder) && (rest.empty() || rest.front() == '/'))
      return createStringError(formatv(
          "'{0}' is read and lies in '{1}', the folder to make; name another "
          "folder",
          input, job.output));
  }
  return llvm::Error::success();
}

llvm::Error mlir::trn::makeRoom(const CompressionJob &job) {
  if (llvm::Error error = keepInputs(job))
    return error;
  const StringRef output = job.output;
  if (!llvm::sys::fs::exists(output) || isEmptyFolder(output))
    return llvm::Error::success();
  auto has = [&](StringRef file) {
    llvm::SmallString<0> path(output);
    llvm::sys::path::append(path, file);
    return llvm::sys::fs::exists(path);
  };
  const bool isBegun = has(".partial"), isDone = has("trn_compress.json");
  if (job.overwrites) {
    if (!isBegun && !isDone)
      return createStringError(
          formatv("'{0}' was not made by trn-compress, so --force does not "
                  "remove it; name another folder or remove it",
                  output));
    if (std::error_code error =
            llvm::sys::fs::remove_directories(output, /*IgnoreErrors=*/false))
      return llvm::createFileError(output, error);
    return llvm::Error::success();
  }
  if (!isBegun)
    return createStringError(formatv(
        "'{0}' is there already; name another folder, or remove it with "
        "--force",
        output));
  if (!job.resumes)
    return createStringError(
        formatv("'{0}' has work that was interrupted: go on with --resume, or "
                "begin again with --force",
                output));
  return llvm::Error::success();
}
