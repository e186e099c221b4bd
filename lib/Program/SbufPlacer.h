//===- SbufPlacer.h - Where calls of a launch lie in SBUF -------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PROGRAM_SBUFPLACER_H
#define TRN_LIB_PROGRAM_SBUFPLACER_H

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace mlir::trn {

struct Buffer;
struct Machine;
struct Program;

/// Where a call has its buffers in SBUF, in bytes of a partition: in the order
/// of its program, or the other way round.
struct SbufPlace {
  int64_t begin = 0, end = 0;
  bool isMirrored = false;

  /// The offset of `buffer`, which is in SBUF.
  int64_t offsetOf(const Buffer &buffer) const;
};

/// Places the calls of a launch. A call loads weights while calls before it
/// still compute, but not into memory that they use. So it lies where least of
/// what it loads has to wait.
///
/// Time is counted in bytes that the DMA moves: where loads are what takes the
/// time, it moves them one after the other.
class SbufPlacer {
public:
  static constexpr unsigned numCells = 1 << 7;
  /// By part of SBUF, of which there are `numCells`.
  using Cells = std::array<int64_t, numCells>;

  explicit SbufPlacer(const Machine &machine);

  /// Where the next call lies.
  SbufPlace add(const Program &program);
  /// How long ago each part of SBUF was used last, as far as that matters:
  /// behind equal ages, calls of other programs find equal places.
  Cells ages() const;

private:
  /// What a call needs. Times count from its beginning.
  struct Needs {
    /// When a part of SBUF is loaded first, and when it is used last.
    Cells first, last;
    /// Of a partition.
    int64_t bytes = 0;
    /// How long the call takes.
    int64_t time = 0;
  };
  Needs findNeeds(const Program &program) const;
  /// How long a load waits at most, and all of them together.
  using Waits = std::pair<int64_t, int64_t>;
  /// Those of a call whose loads fill `first` from cell `begin` on.
  Waits findWaits(const Cells &ages, const Cells &first, unsigned begin,
                  unsigned size, bool isMirrored) const;
  unsigned countCells(int64_t bytes) const;

  /// The place with the least waits.
  SbufPlace choose(const Needs &needs) const;
  /// The call that lies at `place` uses it.
  void use(const SbufPlace &place, const Needs &needs);

  /// Of a partition.
  const int64_t room, cellBytes;
  /// A load is wanted at most so long before its turn.
  const int64_t lead;
  int64_t now = 0;
  Cells lastUse;
  /// By part of SBUF: the number of the call that used it last.
  Cells lastCall;
  /// The programs of all calls.
  std::vector<const Program *> calls;
  /// By program, and the two before it: the place that it had behind them. So
  /// the layers of a model find the same places again.
  std::map<std::array<const Program *, 3>, SbufPlace> known;
};

} // namespace mlir::trn

#endif // TRN_LIB_PROGRAM_SBUFPLACER_H
