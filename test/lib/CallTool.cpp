//===- CallTool.cpp - Run a command of a tool that is started already -----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under the name of a tool, this asks the server of that tool (ServeTool.cpp)
// to run the command. Where there is none, and where the command is about the
// process itself, it becomes the tool.
//
//===----------------------------------------------------------------------===//

#include "ServedTool.h"

#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <sys/wait.h>

static int connectTo(const char *tool) {
  sockaddr_un address;
  if (!nameSocket(tool, address))
    return -1;
  int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(server, reinterpret_cast<sockaddr *>(&address), sizeof(address)))
    return -1;
  return server;
}

static bool send(int server, Call &call, std::string &text) {
  std::array<int, Call::numFiles> files = {
      0, 1, 2, open(".", O_PATH | O_DIRECTORY | O_CLOEXEC)};
  alignas(cmsghdr) char room[CMSG_SPACE(sizeof(files))] = {};
  iovec part = {&call, sizeof(call)};
  msghdr message = {};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof(room);
  cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(files));
  memcpy(CMSG_DATA(header), files.data(), sizeof(files));
  return sendmsg(server, &message, MSG_NOSIGNAL) ==
             static_cast<ssize_t>(sizeof(call)) &&
         transferAll(write, server, text.data(), text.size());
}

/// Ends as the command did.
static int endAs(int status) {
  if (!WIFSIGNALED(status))
    return WEXITSTATUS(status);
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none); // the command has left one
  signal(WTERMSIG(status), SIG_DFL);
  raise(WTERMSIG(status));
  return 125;
}

int main(int argc, char **argv) {
  const char *slash = strrchr(argv[0], '/');
  std::string tool = slash ? slash + 1 : argv[0];
  Call call = {};
  std::string text;
  auto add = [&](char **words) {
    uint32_t count = 0;
    for (; words[count]; ++count)
      text.append(words[count], strlen(words[count]) + 1);
    return count;
  };
  call.numArguments = add(argv);
  call.numVariables = add(environ);
  call.size = text.size();
  umask(call.mode = umask(0));
  for (int limit = 0; limit < RLIMIT_NLIMITS; ++limit)
    getrlimit(static_cast<__rlimit_resource_t>(limit), &call.limits[limit]);

  int server = connectTo(tool.c_str());
  if (server < 0 || !send(server, call, text)) {
    execv((TRN_TOOLS_DIR "/" + tool).c_str(), argv);
    perror(tool.c_str());
    return 127;
  }
  int32_t status;
  if (!transferAll(read, server, reinterpret_cast<char *>(&status),
                   sizeof(status)))
    return 125;
  return endAs(status);
}
