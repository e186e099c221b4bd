//===- ServeTool.cpp - One start of a tool for many command lines ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loaded before a tool, this takes the place of its main(), which then runs in
// a process of its own for each command line that CallTool.cpp sends. What the
// loader does takes longer than most commands, and is done once. The server
// ends with its standard input.
//
//===----------------------------------------------------------------------===//

#include "ServedTool.h"

#include <cerrno>
#include <csignal>
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <string>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <vector>

using Main = int(int, char **, char **);
static Main *mainOfTool;

namespace {
/// A process that runs a command, and the connection that waits for its end.
struct Command {
  pid_t process;
  int connection;
};
} // namespace

static bool receive(int connection, Call &call,
                    std::array<int, Call::numFiles> &files) {
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(files))];
  iovec part = {&call, sizeof(call)};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof(room);
  if (recvmsg(connection, &message, MSG_WAITALL | MSG_CMSG_CLOEXEC) !=
      static_cast<ssize_t>(sizeof(call)))
    return false;
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_len != CMSG_LEN(sizeof(files)))
    return false;
  memcpy(files.data(), CMSG_DATA(header), sizeof(files));
  return true;
}

/// The next `count` strings, and a null.
static std::vector<char *> cut(char *&at, size_t count) {
  std::vector<char *> words;
  for (; count; --count, at += strlen(at) + 1)
    words.push_back(at);
  words.push_back(nullptr);
  return words;
}

/// Becomes what the caller is, and does what it asks for.
static int runTool(int connection) {
  // Alive until the process ends.
  static Call call;
  static std::string text;
  std::array<int, Call::numFiles> files;
  if (!receive(connection, call, files))
    abort();
  text.resize(call.size);
  if (!transferAll(read, connection, text.data(), text.size()))
    abort();
  close(connection);
  for (int stream = 0; stream < 3; ++stream)
    if (dup2(files[stream], stream) < 0 || close(files[stream]))
      abort();
  if (fchdir(files[3]) || close(files[3]))
    abort();
  umask(call.mode);
  for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
    setrlimit(static_cast<__rlimit_resource_t>(limit), &call.limits[limit]);
  char *at = text.data();
  static std::vector<char *> arguments = cut(at, call.numArguments);
  static std::vector<char *> environment = cut(at, call.numVariables);
  environ = environment.data();
  return mainOfTool(call.numArguments, arguments.data(), environ);
}

/// Tells those whose commands have ended how.
static void answer(std::vector<Command> &commands) {
  int32_t status;
  for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
    for (size_t i = 0; i < commands.size(); ++i)
      if (commands[i].process == ended) {
        // Who has left needs no answer.
        (void)!write(commands[i].connection, &status, sizeof(status));
        close(commands[i].connection);
        commands.erase(commands.begin() + i);
        break;
      }
}

static int listenFor(const char *tool) {
  sockaddr_un address;
  int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (!nameSocket(tool, address) ||
      bind(listener, reinterpret_cast<sockaddr *>(&address), sizeof(address)) ||
      listen(listener, SOMAXCONN))
    abort();
  return listener;
}

static int serve(int argc, char **argv, char **) {
  unsetenv("LD_PRELOAD"); // not for what the tool starts
  signal(SIGPIPE, SIG_IGN);
  sigset_t ends, before;
  sigemptyset(&ends);
  sigaddset(&ends, SIGCHLD);
  sigprocmask(SIG_BLOCK, &ends, &before);
  int children = signalfd(-1, &ends, SFD_CLOEXEC | SFD_NONBLOCK);
  int listener = listenFor(argv[0]);

  std::vector<Command> commands;
  while (true) {
    std::vector<pollfd> events = {{STDIN_FILENO, POLLIN, 0},
                                  {listener, POLLIN, 0},
                                  {children, POLLIN, 0}};
    for (const Command &command : commands)
      events.push_back({command.connection, POLLRDHUP, 0});
    if (poll(events.data(), events.size(), -1) < 0 && errno != EINTR)
      return 1;
    for (size_t i = 0; i < commands.size(); ++i)
      if (events[3 + i].revents || events[0].revents)
        kill(commands[i].process, SIGKILL);
    if (events[0].revents)
      return 0;
    signalfd_siginfo info;
    while (read(children, &info, sizeof(info)) > 0)
      ;
    answer(commands);
    if (!events[1].revents)
      continue;
    int connection = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    pid_t process = fork();
    if (process == 0) {
      signal(SIGPIPE, SIG_DFL);
      sigprocmask(SIG_SETMASK, &before, nullptr);
      return runTool(connection);
    }
    commands.push_back({process, connection});
  }
}

extern "C" int __libc_start_main(Main *main, int argc, char **argv,
                                 void (*init)(), void (*fini)(),
                                 void (*finiOfLoader)(), void *endOfStack) {
  mainOfTool = main;
  auto *next = reinterpret_cast<decltype(&__libc_start_main)>(
      dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(serve, argc, argv, init, fini, finiOfLoader, endOfStack);
}
