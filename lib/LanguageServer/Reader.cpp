//===- Reader.cpp - MLIR's server in a fork -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reader.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/CommandLine.h"
#include <sys/resource.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::trn::editor;
using Clock = std::chrono::steady_clock;

void mlir::trn::editor::limitFork(std::optional<int> seconds) {
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  if (!seconds)
    return;
  rlimit time{rlim_t(*seconds), rlim_t(*seconds)};
  setrlimit(RLIMIT_CPU, &time);
}

bool Reader::start() {
  messages = MessageReader();
  outgoing.clear();
  process = Process::start([&] {
    limitFork(std::nullopt);
    // It has options of its own, of the same names.
    llvm::cl::ResetCommandLineParser();
    char name[] = "trn-lsp-server", log[] = "--log=error";
    char *arguments[] = {name, log, nullptr};
    if (failed(MlirLspServerMain(2, arguments, registry)))
      _exit(EXIT_FAILURE);
  });
  return process.has_value();
}

void Reader::send(const llvm::json::Value &message) {
  outgoing += frame(message);
  last = Clock::now();
}

pollfd Reader::input() const {
  return {outgoing.empty() ? -1 : process->input(), POLLOUT, 0};
}

void Reader::write() {
  ssize_t count = ::write(process->input(), outgoing.data(),
                          std::min<size_t>(outgoing.size(), 1 << 16));
  outgoing.erase(0, std::max<ssize_t>(count, 0));
}

std::optional<std::string> Reader::read() {
  last = Clock::now();
  if (messages.read(process->output()))
    return std::nullopt;
  std::string how = process->describeEnd();
  return how.empty() ? "ended" : how;
}

std::chrono::seconds Reader::silence() const {
  return std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - last);
}
