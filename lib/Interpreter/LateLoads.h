//===- LateLoads.h - Loads that are not executed yet ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_LATELOADS_H
#define TRN_LIB_INTERPRETER_LATELOADS_H

#include "Memory.h"
#include "TaskGraph.h"

namespace mlir::trn {

/// Loads of arguments that products alone read, and nobody writes. Such a load
/// only records where the bytes are, and products read them there. It is
/// executed when something else touches what it wrote, or when products read it
/// again and again: in SBUF, rows are not as far apart in the caches.
class LateLoads {
public:
  /// A load that is not executed yet.
  struct Load {
    WorkItem item;
    Region written;
    /// Of a partition, by products that did not find it among recent tiles.
    int64_t bytesRead = 0;
  };
  /// Where the rows of a tile are.
  struct Rows {
    const char *first;
    /// From row to row, in bytes.
    int64_t stride;
    /// Whether it is worth a copy, as the next products read it, too.
    bool isReadAgain = false;
  };

  /// Decides which of `prepared` are such loads. Tiles that are read again are
  /// copied if `copiesTiles`.
  void prepare(const Program &program,
               llvm::ArrayRef<PreparedInstruction> prepared,
               const Memory &memory, bool copiesTiles);

  bool isLate(const PreparedInstruction &instruction) const {
    return !late.empty() && late[&instruction - firstInstruction];
  }
  /// `item` wrote `region` as far as others can see.
  void add(const WorkItem &item, const Region &region) {
    loads[region.buffer].push_back({item, region});
  }

  /// Nothing if they are not in one load, or not neighbours there, or if that
  /// load was read so often that it is better executed.
  std::optional<Rows> find(const Region &tile);

  /// The first load that perhaps wrote some of `region`; it is forgotten.
  std::optional<Load> take(const Region &region);
  /// Forgets loads of a region that loses its values.
  void drop(const Region &region) {
    if (!late.empty())
      llvm::erase_if(loads[region.buffer], [&](const Load &load) {
        return region.contains(load.written);
      });
  }

private:
  /// Whether the tile that begins there was read a moment ago.
  bool isRecent(const char *first);

  const PreparedInstruction *firstInstruction = nullptr;
  /// By instruction; empty if none is.
  std::vector<bool> late;
  /// By instruction: whether a tile that it loads was recent when read.
  std::vector<bool> isReadAgain;
  bool copiesTiles = false;
  /// Where the tiles begin that were read last, the latest in front.
  llvm::SmallVector<const char *, 4> recent;
  /// By buffer; no byte of SBUF was written by two of them.
  std::vector<llvm::SmallVector<Load, 2>> loads;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_LATELOADS_H
