//===- Progress.cpp - A line that tells how far work is -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/Progress.h"

#include "llvm/Support/raw_ostream.h"
#include <string>

using namespace mlir::trn;

static constexpr size_t barWidth = 30;
/// Carriage return and "erase to the end of the line".
static constexpr const char *startOfLine = "\r\x1b[K";

ProgressBar::ProgressBar(llvm::raw_ostream &os)
    : os(os), isTerminal(os.is_displayed()) {}

void ProgressBar::show(size_t done, size_t total) {
  if (!isTerminal)
    return;
  if (done == 0)
    start = Clock::now();
  os << startOfLine;
  if (done < total) {
    size_t filled = barWidth * done / total;
    os << "[" << std::string(filled, '=') << ">"
       << std::string(barWidth - filled, ' ') << "] " << done << "/" << total;
    std::chrono::duration<double> passed = Clock::now() - start;
    if (done > 0)
      os << ", " << int64_t(passed.count() * (total - done) / done + 1)
         << " s left";
  }
  os.flush();
}
