//===- Ports.h - Ports that two engines cannot use together -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_PORTS_H
#define TRN_LIB_SIMULATOR_PORTS_H

#include "BusyIntervals.h"
#include "trn/Program/Program.h"
#include <optional>

namespace mlir::trn {

/// On machines with port locks Vector and GpSimd do not access SBUF together,
/// nor Vector and Scalar PSUM. What comes first in the program goes first; what
/// comes later may use the time before it.
class Ports {
public:
  Ports(const Program &program, bool locked);

  /// Whether `instruction` needs any lock at all.
  bool isLocked(int32_t instruction) const { return locks[instruction] != 0; }

  /// The earliest start >= `ready` at which `instruction` has its ports for
  /// `duration`, which are taken for it.
  int64_t take(int32_t instruction, Engine engine, int64_t ready,
               int64_t duration);

  /// Writes down what is taken from now on, where the other user is `isUsed`.
  template <typename Writer, typename IsUsed>
  void describe(IsUsed isUsed, Writer &writer) const {
    for (const Port &port : ports)
      for (int own : {0, 1})
        if (isUsed(port.users[1 - own]))
          port.busy[own].describe(writer);
  }

private:
  /// A port and the two engines that share it.
  struct Port {
    Space space;
    Engine users[2];
    BusyIntervals busy[2];
  };

  std::vector<Port> ports;
  /// By instruction: a bit for each of its ports.
  std::vector<uint8_t> locks;
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_PORTS_H
