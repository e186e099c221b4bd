//===- SharedAccesses.h - What a core does in shared HBM --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_SHAREDACCESSES_H
#define TRN_LIB_INTERPRETER_SHAREDACCESSES_H

#include "Layout.h"
#include "trn/Interpreter/WrittenMap.h"
#include <memory>

namespace mlir::trn {

/// Which bytes of HBM a core of a logical one has read and written since the
/// latest barrier, in buffers that both cores have and that may be written:
/// results and shared scratch.
class SharedAccesses {
public:
  struct Maps {
    WrittenMap read, written;
    /// The memory, and what the other core does there; null if it has it not.
    const char *memory = nullptr;
    const Maps *other = nullptr;
    /// Cores take turns. Of the second core: all of the memory before it wrote
    /// what the first one had; empty if it did not.
    bool isSecond = false;
    std::vector<char> before = {};
    /// Of the first core: it wrote what the second one had.
    bool hasOverwritten = false;

    void clear() {
      read.clear();
      written.clear();
      before.clear();
      hasOverwritten = false;
    }
  };

  /// Of a core that is alone: it shares nothing.
  SharedAccesses() = default;
  explicit SharedAccesses(const Program &program);

  /// The second core has buffer `index` at `memory`, as the first one has
  /// buffer `other`.
  void pair(int32_t index, const char *memory, SharedAccesses &first,
            int32_t other);

  /// `start` is the byte of the operand's first element.
  void read(const OperandLayout &operand, int64_t start);
  void write(const OperandLayout &operand, int64_t start);

  /// Null for a buffer that is this core's own, or that nobody writes.
  Maps *find(int32_t buffer) const {
    return maps.empty() ? nullptr : maps[buffer].get();
  }

private:
  /// By buffer.
  std::vector<std::unique_ptr<Maps>> maps;
};

/// Whether two buffers of programs of a logical core are the same memory.
bool isSameMemory(const Buffer &buffer, const Buffer &other);

/// The first byte that one core wrote and the other one read or wrote, unless
/// both wrote the same value; nothing if there is none.
std::optional<int64_t> findRace(const SharedAccesses::Maps &first,
                                const SharedAccesses::Maps &second,
                                int64_t bytes);

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_SHAREDACCESSES_H
