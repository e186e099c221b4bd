//===- Ports.cpp - Ports that two engines cannot use together -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Ports.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

static bool accesses(const Program &program, const Instruction &instruction,
                     Space space) {
  auto isInSpace = [&](const Access &access) {
    return program.buffers[access.buffer].space == space;
  };
  return llvm::any_of(instruction.reads, isInSpace) ||
         llvm::any_of(instruction.writes, isInSpace);
}

Ports::Ports(const Program &program, bool locked)
    : locks(program.instructions.size(), 0) {
  if (!locked)
    return;
  auto share = [&](Space space, Engine a, Engine b) {
    auto uses = [&](Engine engine) {
      return llvm::any_of(program.instructions, [&](const Instruction &other) {
        return other.engine == engine && accesses(program, other, space);
      });
    };
    // An engine that never shows up cannot be in the way.
    if (!uses(a) || !uses(b))
      return;
    for (auto [index, instruction] : llvm::enumerate(program.instructions))
      if ((instruction.engine == a || instruction.engine == b) &&
          accesses(program, instruction, space))
        locks[index] |= 1 << ports.size();
    ports.push_back({space, {a, b}, {}});
  };
  share(Space::Sbuf, Engine::Vector, Engine::GpSimd);
  share(Space::Psum, Engine::Vector, Engine::Scalar);
}

int64_t Ports::take(int32_t instruction, Engine engine, int64_t ready,
                    int64_t duration) {
  int64_t start = ready;
  auto forEachPort = [&](auto visit) {
    for (size_t i = 0; i < ports.size(); ++i)
      if (locks[instruction] & (1 << i))
        visit(ports[i], ports[i].users[0] == engine ? 0 : 1);
  };
  // Both ports have to be free at the same time.
  for (bool moved = true; moved;) {
    moved = false;
    forEachPort([&](const Port &port, int own) {
      int64_t begin = port.busy[1 - own].fit(start, duration);
      moved |= begin != start;
      start = begin;
    });
  }
  forEachPort([&](Port &port, int own) {
    port.busy[own].add(start, start + duration);
    port.busy[1 - own].forgetUntil(start);
  });
  return start;
}
