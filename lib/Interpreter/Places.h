//===- Places.h - Parts of memories that regions share ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_PLACES_H
#define TRN_INTERPRETER_PLACES_H

#include "Region.h"
#include "llvm/ADT/Sequence.h"
#include <algorithm>
#include <vector>

namespace mlir::trn {

struct Program;
struct Machine;

/// Memories cut into numbered places: a few kilobytes on chip, a whole buffer
/// in HBM. Regions that share bytes share a place. How many buffers have an
/// address one after the other does not matter.
class Places {
public:
  /// Tiles in f32 have a memory like SBUF for themselves: there the buffers are
  /// numbered behind those of the program.
  Places(const Program &program, const Machine &machine);

  int32_t size() const { return count; }

  /// Those of a region.
  llvm::iota_range<int32_t> of(const Region &region) const {
    const Memory &memory = memories[memoryOf[region.buffer]];
    int32_t first = memory.at(region.lo), last = memory.at(region.hi - 1);
    return llvm::seq(first, std::max(first, last) + 1);
  }

private:
  struct Memory {
    int32_t first;
    int32_t last;
    int64_t bytesEach;
    int32_t at(int64_t byte) const {
      return int32_t(std::min<int64_t>(first + byte / bytesEach, last));
    }
  };
  /// Returns its number.
  int32_t add(int64_t bytes, int64_t bytesEach);

  int32_t count = 0;
  std::vector<Memory> memories;
  std::vector<int32_t> memoryOf; // a buffer
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_PLACES_H
