//===- InputFile.cpp - Files that users give ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/InputFile.h"

#include "trn/Support/HostTensor.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <sys/mman.h>

using namespace mlir::trn;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

static llvm::Error tooLarge(int64_t limit, const char *why) {
  return llvm::createStringError(
      llvm::formatv("it holds more than {0:N0} bytes, {1}", limit, why));
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readStream(fs::file_t file, StringRef path, bool isText, int64_t limit) {
  constexpr size_t chunk = 1 << 16;
  llvm::SmallVector<char, 0> bytes;
  for (;;) {
    size_t size = bytes.size();
    bytes.resize_for_overwrite(size + chunk);
    llvm::Expected<size_t> read = fs::readNativeFile(
        file, llvm::MutableArrayRef<char>(bytes).drop_front(size));
    if (!read)
      return read.takeError();
    bytes.truncate(size + *read);
    if (*read == 0)
      break;
    if (int64_t(bytes.size()) > limit)
      return tooLarge(limit, "the most that is read from what is not a "
                             "regular file");
  }
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), path, /*RequiresNullTerminator=*/isText);
}

/// Files of a cloned repository may be only names of what they stand for.
static bool isPointer(StringRef bytes) {
  return bytes.starts_with("version https://git-lfs.github.com/spec/");
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mlir::trn::readInputFile(StringRef path, bool isText, int64_t maxStreamed) {
  bool isStandard = path == "-";
  fs::file_t file = fs::getStdinHandle();
  if (!isStandard)
    if (llvm::Error error = fs::openNativeFileForRead(path).moveInto(file))
      return error;
  llvm::scope_exit close([&] {
    if (!isStandard)
      fs::closeFile(file);
  });
  fs::file_status status;
  if (std::error_code error = fs::status(file, status))
    return llvm::errorCodeToError(error);
  bool isRegular = status.type() == fs::file_type::regular_file;
  int64_t memory = getHostMemory();
  if (isRegular && int64_t(status.getSize()) > memory)
    return tooLarge(memory, "all of this machine's memory");
  // Somebody may have read the beginning of standard input.
  if (!isRegular || isStandard)
    return readStream(file, isStandard ? "<stdin>" : path, isText,
                      isRegular ? memory : maxStreamed);
  auto buffer = llvm::MemoryBuffer::getOpenFile(
      file, path, status.getSize(), /*RequiresNullTerminator=*/isText);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  if (isPointer((*buffer)->getBuffer()))
    return llvm::createStringError(
        "it is a pointer of Git LFS, not the file itself; fetch that with 'git "
        "lfs pull' in its repository");
  return std::move(*buffer);
}

// Not `dontNeedIfMmap`, which does nothing with glibc.
void mlir::trn::releasePages(const llvm::MemoryBuffer &buffer) {
  if (buffer.getBufferKind() != llvm::MemoryBuffer::MemoryBuffer_MMap)
    return;
  const uint64_t page = llvm::sys::Process::getPageSizeEstimate();
  auto begin = reinterpret_cast<uint64_t>(buffer.getBufferStart()),
       end = reinterpret_cast<uint64_t>(buffer.getBufferEnd());
  begin = llvm::alignDown(begin, page);
  (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
}
