//===- Process.cpp - Forks that may crash ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Process.h"

#include "llvm/Support/FormatVariadic.h"
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::trn::editor;

//===----------------------------------------------------------------------===//
// Processes
//===----------------------------------------------------------------------===//

/// In the fork, which has no way back into what its parent does.
[[noreturn]] static void runFork(int in, int out,
                                 llvm::function_ref<void()> function) {
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  // The files of the client and of other forks are not its own: a stream ends
  // when the last one closes it.
  for (int file = STDERR_FILENO + 1; file < 1024; ++file)
    close(file);
  std::signal(SIGPIPE, SIG_DFL);
  function();
  _exit(EXIT_SUCCESS);
}

std::optional<Process> Process::start(llvm::function_ref<void()> function) {
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0)
    return std::nullopt;
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]);
    close(to[1]);
    return std::nullopt;
  }
  Process process;
  process.id = fork();
  if (process.id == 0)
    runFork(to[0], from[1], function);
  close(to[0]);
  close(from[1]);
  process.in = to[1];
  process.out = from[0];
  if (process.id < 0)
    return std::nullopt;
  // A reader that is busy answers may not keep this process from its client.
  fcntl(process.in, F_SETFL, O_NONBLOCK);
  return process;
}

Process &Process::operator=(Process &&other) {
  kill();
  id = std::exchange(other.id, -1);
  in = std::exchange(other.in, -1);
  out = std::exchange(other.out, -1);
  return *this;
}

void Process::closeStreams() {
  for (int *file : {&in, &out})
    if (int number = std::exchange(*file, -1); number >= 0)
      close(number);
}

void Process::kill() {
  if (id >= 0) {
    ::kill(id, SIGKILL);
    waitpid(std::exchange(id, -1), nullptr, 0);
  }
  closeStreams();
}

std::string Process::describeEnd() {
  int status = 0;
  // It takes a moment from the end of its stream to its own.
  for (int tries = 0; tries < 1000 && id >= 0; ++tries)
    if (waitpid(id, &status, WNOHANG) != 0)
      id = -1;
    else
      usleep(1000);
  kill();
  if (WIFSIGNALED(status))
    return llvm::formatv("ended with '{0}'", strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status) == EXIT_SUCCESS ? "" : "ended";
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

bool MessageReader::read(int file) {
  char buffer[1 << 16];
  ssize_t count;
  do
    count = ::read(file, buffer, sizeof(buffer));
  while (count < 0 && errno == EINTR);
  if (count > 0)
    bytes.append(buffer, count);
  return count > 0;
}

std::optional<std::string> MessageReader::nextDelimited() {
  StringRef rest = bytes;
  std::string message;
  while (!rest.empty()) {
    auto [line, after] = rest.split('\n');
    rest = after;
    if (line.rtrim() == "// -----") {
      bytes = rest.str();
      return message;
    }
    // Comments; no line of JSON begins like these.
    if (!line.starts_with("//") && !line.starts_with("#"))
      message += line.str() + "\n";
  }
  return std::nullopt;
}

std::optional<std::string> MessageReader::next() {
  if (isDelimited)
    return nextDelimited();
  StringRef all = bytes;
  size_t end = all.find("\r\n\r\n");
  if (end == StringRef::npos)
    return std::nullopt;
  size_t length = 0;
  SmallVector<StringRef> lines;
  all.take_front(end).split(lines, "\r\n");
  for (StringRef line : lines)
    if (line.consume_front_insensitive("content-length:"))
      if (line.trim().getAsInteger(10, length))
        length = 0;
  StringRef body = all.drop_front(end + 4);
  if (body.size() < length)
    return std::nullopt;
  std::string message = body.take_front(length).str();
  bytes = body.drop_front(length).str();
  return message;
}

std::string mlir::trn::editor::frame(const llvm::json::Value &message,
                                     bool isIndented) {
  std::string body =
      llvm::formatv(isIndented ? "{0:2}\n" : "{0}", message).str();
  return llvm::formatv("Content-Length: {0}\r\n\r\n{1}", body.size(), body);
}

bool mlir::trn::editor::writeAll(int file, StringRef bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno != EINTR)
      return false;
    bytes = bytes.drop_front(std::max<ssize_t>(count, 0));
  }
  return true;
}
