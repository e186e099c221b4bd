//===- GzipStream.h - Writing gzip ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SUPPORT_GZIPSTREAM_H
#define TRN_LIB_SUPPORT_GZIPSTREAM_H

#include "llvm/Support/raw_ostream.h"
#include <memory>
#include <vector>

struct z_stream_s;

namespace mlir::trn {

/// Compresses what is written to it, in the format of gzip. The same bytes in
/// give the same bytes out: no time and no name is recorded.
class GzipStream final : public llvm::raw_ostream {
public:
  explicit GzipStream(llvm::raw_ostream &to);
  ~GzipStream() override;

  /// Writes the end; nothing may be written after it.
  void finish();

private:
  void write_impl(const char *text, size_t size) override;
  uint64_t current_pos() const override { return position; }
  void deflate(int flush);

  llvm::raw_ostream &to;
  std::unique_ptr<z_stream_s> state;
  std::vector<unsigned char> packed;
  uint64_t position = 0;
};

} // namespace mlir::trn

#endif // TRN_LIB_SUPPORT_GZIPSTREAM_H
