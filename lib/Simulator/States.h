//===- States.h - What the rest of a simulation depends on ------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A state is written down as numbers. After equal states, equal instructions
// take equal times: if a round of calls leaves the state in which it began, so
// does every further one.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_STATES_H
#define TRN_LIB_SIMULATOR_STATES_H

#include "trn/Program/Program.h"

#include <limits>

namespace mlir::trn {

struct Machine;
struct SimulationOptions;
struct SimulationResult;

using State = std::vector<int64_t>;

/// Writes a state down. Times count from `origin`, when everything so far is
/// done, and those before `oldest` are all alike: no instruction starts so
/// early any more.
class StateWriter {
public:
  StateWriter(int64_t origin, int64_t oldest, int64_t semaphore)
      : origin(origin), oldest(oldest), semaphore(semaphore) {}

  void add(int64_t number) { state.push_back(number); }
  /// A time that matters, however long ago it is.
  void addExact(int64_t time) { add(time - origin); }
  void addTime(int64_t time) {
    add(time < oldest ? std::numeric_limits<int64_t>::min() : time - origin);
  }
  /// When something becomes visible, or free, for other engines.
  bool isPast(int64_t use) const { return use + semaphore < oldest; }
  void addUse(int64_t use) {
    add(isPast(use) ? std::numeric_limits<int64_t>::min() : use - origin);
  }

  const int64_t origin, oldest, semaphore;
  State state;
};

/// The parts of a program whose states are asked for.
class PartStates {
public:
  /// Of the states at the beginning of `asked`, in order. Memory in HBM that
  /// was used more than `distance` parts ago is not used any more.
  PartStates(const Program &program, llvm::ArrayRef<int32_t> begins,
             llvm::ArrayRef<int32_t> asked, size_t distance);

  bool isNext(size_t part) const {
    return states.size() < asked.size() && size_t(asked[states.size()]) == part;
  }
  /// Whether `engine` executes something from `part` on.
  bool isUsed(Engine engine, size_t part) const {
    return (users[part] >> static_cast<int>(engine)) & 1;
  }
  /// Buffers in HBM that the parts before `part` use, the latest part first;
  /// -1 ends a part. Some may come several times.
  std::vector<int32_t> memoryBefore(size_t part) const;
  llvm::ArrayRef<int32_t> tilesOf(size_t part) const { return tiles[part]; }
  /// Names an instruction as seen from `part`.
  void addInstruction(int32_t instruction, size_t part,
                      StateWriter &writer) const;
  size_t partOf(int32_t instruction) const;

  std::vector<State> states;
  /// Of the steps of the critical path: the queue and the DMA engines.
  std::vector<int16_t> pathTracks;

private:
  llvm::ArrayRef<int32_t> begins, asked;
  size_t distance;
  /// By part: its buffers in HBM and on chip, in the order of first use. No
  /// part follows the last one, so that what is on chip there is empty.
  std::vector<std::vector<int32_t>> memory, tiles;
  /// By part: a bit for each engine that is used from it on.
  std::vector<uint8_t> users;
};

/// Simulates a program, and writes states down as `states` asks for.
SimulationResult simulateParts(const Program &program, const Machine &machine,
                               const SimulationOptions &options,
                               PartStates &states);

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_STATES_H
