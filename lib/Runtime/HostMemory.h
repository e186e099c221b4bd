//===- HostMemory.h - The memory of host code -------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_RUNTIME_HOSTMEMORY_H
#define TRN_LIB_RUNTIME_HOSTMEMORY_H

#include "trn/Interpreter/WrittenMap.h"
#include "trn/Support/FloatTypes.h"
#include <deque>
#include <map>
#include <memory>

namespace mlir::trn {

/// All memory that compiled host code may touch in one run: what it allocates,
/// which is freed with this at the latest, and what is lent to it.
class HostMemory {
public:
  enum class Kind { Allocation, Input, Result, Constant, Global };
  struct Region {
    uintptr_t begin, end;
    Kind kind;
    bool mayWrite;
    /// What made it: the number of an op, or of an input or result.
    size_t origin;
    /// The op that freed it.
    std::optional<size_t> freedBy;
  };

  /// Buffers start at a cache line.
  static constexpr size_t alignment = 64;

  HostMemory() { reset(); }
  HostMemory(const HostMemory &) = delete;
  HostMemory &operator=(const HostMemory &) = delete;
  ~HostMemory() { reset(); }

  /// Forgets and frees everything.
  void reset();

  size_t getLimit() const { return limit; }

  /// Nothing if `pointer` is neither in nor at the end of any region. Freed
  /// regions are found until their addresses have a new owner.
  const Region *find(const void *pointer) const;

  void lend(void *data, size_t bytes, Kind kind, bool mayWrite, size_t origin);

  /// Memory that counts as unwritten; null if the host has not as much.
  void *allocate(size_t bytes, size_t origin);

  /// Frees what `allocate` returned; false if it did not, or not any more.
  bool release(void *pointer, size_t by);

private:
  void discardOldest();

  std::map<uintptr_t, Region> regions;
  /// What this host can give without killing somebody.
  size_t limit = 0;
  size_t liveBytes = 0;
  /// Freed memory is kept for a while, so that a use of it meets no new owner.
  std::deque<uintptr_t> quarantine;
  size_t quarantinedBytes = 0;
};

/// Fills memory with a signalling NaN of every float type that is 16 bits or
/// wider (f16 has only a rare quiet one with these bits); no arithmetic
/// produces it.
void fillUnwritten(void *data, size_t bytes);

/// The elements that `fillUnwritten` left there and nobody wrote since, as
/// holes; null if there are none.
std::unique_ptr<WrittenMap> findUnwritten(const void *data, size_t bytes,
                                          ElementType type);

} // namespace mlir::trn

#endif // TRN_LIB_RUNTIME_HOSTMEMORY_H
