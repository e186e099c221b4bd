//===- Team.h - Processes that share work -----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_COMPRESS_TEAM_H
#define TRN_COMPRESS_TEAM_H

#include "llvm/ADT/ArrayRef.h"

namespace mlir::trn {

/// Processes that run the same job on the same folder, each a part of it. This
/// class is a single process.
class Team {
public:
  virtual ~Team() = default;

  virtual unsigned rank() const { return 0; }
  virtual unsigned size() const { return 1; }
  /// Copies the bytes of member `from` to all. All must call it.
  virtual void broadcast(llvm::MutableArrayRef<char> bytes, unsigned from) {}
  /// Returns when all have called it.
  virtual void wait() {}

  bool isFirst() const { return rank() == 0; }
  /// Whether this process does piece `piece` of the work.
  bool does(size_t piece) const { return piece % size() == rank(); }
};

} // namespace mlir::trn

#endif // TRN_COMPRESS_TEAM_H
