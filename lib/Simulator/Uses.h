//===- Uses.h - When engines use something last -----------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_SIMULATOR_USES_H
#define TRN_LIB_SIMULATOR_USES_H

#include "trn/Machine/Machine.h"
#include <algorithm>
#include <cstdint>

namespace mlir::trn {

/// Before all times.
inline constexpr int64_t neverUsed = INT64_MIN / 16;

/// Of a cell: when its latest write becomes visible, and who reads it.
struct alignas(32) CellUses {
  int64_t visible = neverUsed;
  /// The latest end of a read, and the latest one of any other engine.
  int64_t readUntil = neverUsed, othersReadUntil = neverUsed;
  Engine writer = Engine::Tensor;
  Engine reader = Engine::Tensor;

  void read(Engine engine, int64_t until) {
    if (engine == reader) {
      readUntil = std::max(readUntil, until);
    } else if (until > readUntil) {
      othersReadUntil = readUntil;
      readUntil = until;
      reader = engine;
    } else {
      othersReadUntil = std::max(othersReadUntil, until);
    }
  }
  /// When no engine but `engine` uses it any more.
  int64_t usedUntil(Engine engine) const {
    return std::max(writer == engine ? neverUsed : visible,
                    reader == engine ? othersReadUntil : readUntil);
  }
};

/// When each engine has used something last.
struct EngineUses {
  int64_t until[numEngines] = {neverUsed, neverUsed, neverUsed, neverUsed,
                               neverUsed, neverUsed, neverUsed};

  /// Whether some of these are later than what `others` held.
  bool addTo(EngineUses &others) const {
    bool isLater = false;
    for (int engine = 0; engine < numEngines; ++engine) {
      isLater |= until[engine] > others.until[engine];
      others.until[engine] = std::max(others.until[engine], until[engine]);
    }
    return isLater;
  }
};

} // namespace mlir::trn

#endif // TRN_LIB_SIMULATOR_USES_H
