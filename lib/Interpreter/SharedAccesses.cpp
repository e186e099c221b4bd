//===- SharedAccesses.cpp - What a core does in shared HBM ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedAccesses.h"

#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace mlir::trn;

/// Bytes that a map knows as one.
static constexpr int64_t granule = 2;

SharedAccesses::SharedAccesses(const Program &program)
    : maps(program.buffers.size()) {
  for (auto [index, buffer] : llvm::enumerate(program.buffers))
    if (buffer.result || buffer.shared >= 0)
      maps[index].reset(new Maps{{1, buffer.bytes}, {1, buffer.bytes}});
}

static void mark(WrittenMap &map, const OperandLayout &operand, int64_t start) {
  operand.forEachRun([&](int64_t lo, int64_t hi) {
    map.set(0, 1, start + lo, start + hi);
    return false;
  });
}

void SharedAccesses::read(const OperandLayout &operand, int64_t start) {
  if (Maps *found = find(operand.access->buffer))
    mark(found->read, operand, start);
}

void SharedAccesses::pair(int32_t index, const char *memory,
                          SharedAccesses &first, int32_t other) {
  Maps *own = find(index), *theirs = first.find(other);
  if (!own || !theirs)
    return;
  own->memory = memory;
  own->other = theirs;
  own->isSecond = true;
  theirs->other = own;
}

void SharedAccesses::write(const OperandLayout &operand, int64_t start) {
  Maps *found = find(operand.access->buffer);
  if (!found)
    return;
  mark(found->written, operand, start);
  auto isWritten = [&](int64_t lo, int64_t hi) {
    return found->other->written.findSet(0, 1, start + lo, start + hi)
        .has_value();
  };
  bool isKnown =
      found->isSecond ? !found->before.empty() : found->hasOverwritten;
  if (!found->other || isKnown || !operand.forEachRun(isWritten))
    return;
  if (found->isSecond)
    found->before.assign(found->memory, found->memory + operand.buffer->bytes);
  else
    found->hasOverwritten = true;
}

bool mlir::trn::isSameMemory(const Buffer &buffer, const Buffer &other) {
  return buffer.bytes == other.bytes &&
         (buffer.argument >= 0
              ? buffer.argument == other.argument
              : buffer.shared >= 0 && buffer.shared == other.shared);
}

std::optional<int64_t> mlir::trn::findRace(const SharedAccesses::Maps &first,
                                           const SharedAccesses::Maps &second,
                                           int64_t bytes) {
  WrittenMap races = second.read;
  races.add(second.written);
  races.keep(first.written);
  WrittenMap overwritten = first.read;
  overwritten.keep(second.written);
  races.add(overwritten);
  std::optional<WrittenMap::Position> race;
  for (int64_t lo = 0; (race = races.findSet(0, 1, lo, bytes));) {
    const int64_t byte = race->byte, end = byte + granule;
    auto isWritten = [&](const WrittenMap &map) {
      return !map.findHole(0, 1, byte, end);
    };
    bool isSame = !first.hasOverwritten && isWritten(first.written) &&
                  isWritten(second.written) &&
                  std::memcmp(second.before.data() + byte, second.memory + byte,
                              granule) == 0;
    if (!isSame)
      return byte;
    lo = end;
  }
  return std::nullopt;
}
