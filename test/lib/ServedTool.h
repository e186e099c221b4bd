//===- ServedTool.h - What a caller tells the server of a tool --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_LIB_SERVEDTOOL_H
#define TRN_TEST_LIB_SERVEDTOOL_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string_view>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

/// What a command has of the process that asked for it. With it come its three
/// streams and its folder, behind it `size` bytes: its arguments and its
/// environment. The answer is the status of waitpid().
struct Call {
  static constexpr int numFiles = 4;

  uint32_t numArguments, numVariables, size;
  mode_t mode;
  std::array<rlimit, RLIMIT_NLIMITS> limits;
};

/// What libraries read when they are loaded: a server has read it already.
inline bool isForLoading(const char *variable) {
  for (const char *prefix :
       {"LD_", "GLIBC_", "MALLOC_", "OPENBLAS_", "OMP_", "PMIX_"})
    if (!strncmp(variable, prefix, strlen(prefix)))
      return true;
  return false;
}

/// A socket that has no file, for a tool that was loaded as it would be here.
/// TRN_SERVED is new for each run of the tests. False without it.
inline bool nameSocket(const char *tool, sockaddr_un &address) {
  size_t hash = 0;
  for (char **variable = environ; *variable; ++variable)
    if (isForLoading(*variable))
      hash += std::hash<std::string_view>()(*variable);
  const char *run = getenv("TRN_SERVED");
  address = {};
  address.sun_family = AF_UNIX;
  return run && snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1,
                         "%s-%s-%zx", run, tool, hash) > 0;
}

template <typename Operation>
inline bool transferAll(Operation operation, int file, char *at, size_t size) {
  while (size) {
    ssize_t count = operation(file, at, size);
    if (count <= 0)
      return false;
    at += count;
    size -= count;
  }
  return true;
}

#endif // TRN_TEST_LIB_SERVEDTOOL_H
