//===- ServeCommands.cpp - One start of a tool for many command lines -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded before a tool, this takes the place of its main(), which then runs in
// a process of its own for each command line that comes by standard input. What
// the loader does takes longer than to refuse a command, and is done once.
// test/Inputs/served.py is the other side.
//
//===----------------------------------------------------------------------===//

#include <array>
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <fcntl.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using Main = int(int, char **, char **);
static Main *mainOfTool;

static bool readAll(void *into, size_t size) {
  for (char *at = static_cast<char *>(into); size;) {
    ssize_t count = read(STDIN_FILENO, at, size);
    if (count <= 0)
      return false;
    at += count;
    size -= count;
  }
  return true;
}

/// The files of the three streams, then the words of a command.
static bool readRequest(std::vector<std::string> &words) {
  uint32_t count, size;
  if (!readAll(&count, sizeof(count)))
    return false;
  words.resize(count);
  for (std::string &word : words) {
    if (!readAll(&size, sizeof(size)))
      return false;
    word.resize(size);
    if (!readAll(word.data(), size))
      return false;
  }
  return count > 3;
}

static int runTool(std::vector<std::string> &words, char **environment) {
  const std::array<int, 3> modes = {O_RDONLY, O_WRONLY | O_TRUNC,
                                    O_WRONLY | O_TRUNC};
  for (int stream = 0; stream < 3; ++stream)
    if (dup2(open(words[stream].c_str(), modes[stream]), stream) < 0)
      abort();
  std::vector<char *> arguments;
  for (size_t i = 3; i < words.size(); ++i)
    arguments.push_back(words[i].data());
  arguments.push_back(nullptr);
  return mainOfTool(arguments.size() - 1, arguments.data(), environment);
}

static int serve(int, char **, char **environment) {
  unsetenv("LD_PRELOAD"); // not for what the tool starts
  int answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  std::vector<std::string> words;
  while (readRequest(words)) {
    pid_t child = fork();
    if (child == 0)
      return runTool(words, environment);
    int status = 0;
    if (waitpid(child, &status, 0) != child ||
        write(answers, &status, sizeof(status)) != sizeof(status))
      return 1;
  }
  return 0;
}

extern "C" int __libc_start_main(Main *main, int argc, char **argv,
                                 void (*init)(), void (*fini)(),
                                 void (*finiOfLoader)(), void *endOfStack) {
  mainOfTool = main;
  auto *next = reinterpret_cast<decltype(&__libc_start_main)>(
      dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(serve, argc, argv, init, fini, finiOfLoader, endOfStack);
}
