//===- GzipStream.cpp - Writing gzip --------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GzipStream.h"

#include "llvm/Support/ErrorHandling.h"
#include <zlib.h>

using namespace mlir::trn;

GzipStream::GzipStream(llvm::raw_ostream &to)
    : to(to), state(std::make_unique<z_stream_s>()), packed(1 << 16) {
  // Traces repeat themselves so much that the fastest level makes a fifteenth
  // of them; others take several times as long.
  const int gzip = 16;
  if (deflateInit2(state.get(), Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + gzip,
                   /*memLevel=*/8, Z_DEFAULT_STRATEGY) != Z_OK)
    llvm::report_bad_alloc_error("gzip");
  SetBufferSize(1 << 16);
}

GzipStream::~GzipStream() {
  flush();
  deflateEnd(state.get());
}

void GzipStream::write_impl(const char *text, size_t size) {
  position += size;
  state->next_in = reinterpret_cast<unsigned char *>(const_cast<char *>(text));
  state->avail_in = size;
  deflate(Z_NO_FLUSH);
}

void GzipStream::finish() {
  flush();
  deflate(Z_FINISH);
}

/// Until all input is taken and all output that is there is written.
void GzipStream::deflate(int flush) {
  do {
    state->next_out = packed.data();
    state->avail_out = packed.size();
    ::deflate(state.get(), flush);
    to.write(reinterpret_cast<const char *>(packed.data()),
             packed.size() - state->avail_out);
  } while (state->avail_out == 0);
}
