//===- OutputFile.cpp - Files that are whole or absent --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/OutputFile.h"

#include "GzipStream.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/Threading.h"
#include <climits>
#include <unistd.h>

using namespace mlir::trn;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// What is there is no file to replace: it may be another name of standard
/// output, for example.
static bool isSpecial(StringRef path) {
  return path == "-" || path.starts_with("/dev/") || path.starts_with("/proc/");
}

/// Where the last of a chain of symbolic links points, whether or not there is
/// a file yet.
static std::string followLinks(StringRef path) {
  constexpr int maxLinks = 40; // as many as Linux follows
  llvm::SmallString<256> current(path);
  for (int i = 0; i < maxLinks && !isSpecial(current); ++i) {
    char text[PATH_MAX];
    ssize_t length = readlink(current.c_str(), text, sizeof text);
    if (length < 0)
      break;
    StringRef link(text, length);
    if (llvm::sys::path::is_absolute(link))
      current.clear();
    else
      llvm::sys::path::remove_filename(current);
    llvm::sys::path::append(current, link);
  }
  return current.str().str();
}

//===- Writing ------------------------------------------------------------===//

llvm::Error OutputFile::fail(std::error_code problem) const {
  return llvm::createStringError(problem, "cannot write '" + path +
                                              "': " + problem.message());
}

llvm::Error OutputFile::openBeside(StringRef to) {
  fs::file_status present;
  bool exists = !fs::status(to, present);
  // Renaming would replace what its owner protects.
  if (exists && !fs::can_write(to))
    return fail(std::make_error_code(std::errc::permission_denied));
  llvm::SmallString<256> folder(llvm::sys::path::parent_path(to));
  std::error_code problem = std::make_error_code(std::errc::file_exists);
  int file = -1;
  for (int i = 0; problem == std::errc::file_exists && i < 1000; ++i) {
    llvm::SmallString<256> beside = folder;
    llvm::sys::path::append(beside,
                            llvm::formatv(".trn-{0}-{1}-{2}.tmp",
                                          llvm::sys::Process::getProcessId(),
                                          llvm::get_threadid(), i)
                                .str());
    // Before there is a file that a signal could leave behind.
    llvm::sys::RemoveFileOnSignal(beside);
    problem = fs::openFileForWrite(beside, file, fs::CD_CreateNew);
    if (problem)
      llvm::sys::DontRemoveFileOnSignal(beside);
    else
      temporary = beside.str();
  }
  if (problem)
    return fail(problem);
  target = to.str();
  if (exists)
    (void)fs::setPermissions(file, present.permissions());
  stream = std::make_unique<llvm::raw_fd_ostream>(file, /*shouldClose=*/true);
  return llvm::Error::success();
}

llvm::Expected<OutputFile> OutputFile::open(StringRef path) {
  OutputFile file(path);
  if (llvm::Error error = file.openStream())
    return error;
  if (path.ends_with(".gz"))
    file.packed = std::make_unique<GzipStream>(*file.stream);
  return file;
}

llvm::Error OutputFile::openStream() {
  std::string target = followLinks(path);
  fs::file_status status;
  bool exists = !fs::status(target, status);
  bool isRegular = !exists || status.type() == fs::file_type::regular_file;
  if (isRegular && !isSpecial(target))
    return openBeside(target);
  std::error_code problem;
  stream = std::make_unique<llvm::raw_fd_ostream>(
      target == "/dev/stdout" ? "-" : target, problem);
  if (!problem)
    return llvm::Error::success();
  stream->clear_error();
  return fail(problem);
}

OutputFile::OutputFile(StringRef path) : path(path.str()) {}
OutputFile::OutputFile(OutputFile &&) = default;

llvm::raw_ostream &OutputFile::os() {
  if (packed)
    return *packed;
  return *stream;
}

OutputFile::~OutputFile() {
  if (!stream)
    return; // kept, or moved from
  packed.reset();
  stream->flush();
  stream->clear_error();
  stream.reset();
  if (temporary.empty())
    return;
  fs::remove(temporary);
  llvm::sys::DontRemoveFileOnSignal(temporary);
}

llvm::Error OutputFile::keep() {
  if (packed)
    packed->finish();
  packed.reset();
  stream->flush();
  if (!stream->has_error() && !temporary.empty())
    stream->close();
  std::error_code problem = stream->error();
  stream->clear_error();
  if (!problem && !temporary.empty())
    problem = fs::rename(temporary, target);
  if (problem)
    return fail(problem);
  if (!temporary.empty())
    llvm::sys::DontRemoveFileOnSignal(temporary);
  stream.reset();
  return llvm::Error::success();
}

llvm::Error
mlir::trn::writeFile(StringRef path,
                     llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return llvm::Error::success();
  llvm::Expected<OutputFile> file = OutputFile::open(path);
  if (!file)
    return file.takeError();
  write(file->os());
  return file->keep();
}

//===- Checking -----------------------------------------------------------===//

/// The regular file that a path names, or will name once it is written.
static std::string identify(StringRef path) {
  std::string target = followLinks(path);
  llvm::SmallString<256> folder;
  StringRef parent = llvm::sys::path::parent_path(target);
  if (fs::real_path(parent.empty() ? "." : parent, folder))
    return target;
  llvm::sys::path::append(folder, llvm::sys::path::filename(target));
  return folder.str().str();
}

static bool isSameFile(StringRef a, StringRef b) {
  fs::file_status first, second;
  // `-` is standard input here.
  bool isFirst = !(a == "-" ? fs::status(0, first) : fs::status(a, first));
  bool isSecond = !(b == "-" ? fs::status(0, second) : fs::status(b, second));
  if (isFirst != isSecond)
    return false;
  if (!isFirst)
    return identify(a) == identify(b);
  return first.type() == fs::file_type::regular_file &&
         fs::equivalent(first, second);
}

/// Why a file cannot be written at `path`.
static std::error_code findFault(StringRef path) {
  std::string target = followLinks(path);
  if (fs::is_directory(target))
    return std::make_error_code(std::errc::is_a_directory);
  StringRef folder = llvm::sys::path::parent_path(target);
  fs::file_status status;
  if (folder.empty())
    return {};
  if (std::error_code problem = fs::status(folder, status))
    return problem;
  if (status.type() != fs::file_type::directory_file)
    return std::make_error_code(std::errc::not_a_directory);
  return {};
}

llvm::Error mlir::trn::checkOutputs(llvm::ArrayRef<StringRef> outputs,
                                    llvm::ArrayRef<StringRef> inputs) {
  for (auto [index, output] : llvm::enumerate(outputs)) {
    if (output.empty())
      continue;
    if (output != "-") {
      for (StringRef input : inputs)
        if (!input.empty() && isSameFile(output, input))
          return llvm::createStringError("output '" + output +
                                         "' would overwrite the input '" +
                                         input + "'; write to another file");
      if (std::error_code problem = findFault(output))
        return llvm::createStringError("cannot write '" + output +
                                       "': " + problem.message());
    }
    for (StringRef other : outputs.take_front(index))
      if (!other.empty() &&
          (output == "-" || other == "-" ? output == other
                                         : isSameFile(output, other)))
        return llvm::createStringError("two outputs would be written to '" +
                                       output + "'");
  }
  return llvm::Error::success();
}
