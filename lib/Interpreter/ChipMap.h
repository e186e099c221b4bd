//===- ChipMap.h - A map of SBUF or PSUM ------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_INTERPRETER_CHIPMAP_H
#define TRN_LIB_INTERPRETER_CHIPMAP_H

#include "trn/Interpreter/WrittenMap.h"
#include <memory>

namespace mlir::trn {

/// A `WrittenMap` of SBUF or PSUM that lives on for later runs: the system
/// would clear its pages for longer than a small kernel runs. So it holds
/// anything at first. Only bytes of buffers are asked for, and the alloc of a
/// buffer clears its own.
class ChipMap {
public:
  ChipMap() = default;
  ChipMap(int64_t partitions, int64_t bytes);
  ~ChipMap();
  ChipMap(ChipMap &&) = default;
  ChipMap &operator=(ChipMap &&) = default;

  WrittenMap *get() const { return map.get(); }
  WrittenMap *operator->() const { return get(); }

private:
  int64_t partitions = 0, bytes = 0;
  std::unique_ptr<WrittenMap> map;
};

} // namespace mlir::trn

#endif // TRN_LIB_INTERPRETER_CHIPMAP_H
