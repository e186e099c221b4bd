//===- CoreGroup.h - Cores that run together --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_COREGROUP_H
#define TRN_INTERPRETER_COREGROUP_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mlir::trn {

/// The cores that run a program together, seen from one of them.
class CoreGroup {
public:
  virtual ~CoreGroup();

  int64_t rank() const { return number; }
  int64_t size() const { return count; }

  /// The data of each core, by rank.
  using Parts = llvm::ArrayRef<const char *>;

  /// A point where cores meet: `what` must be the same for all of them, and
  /// includes the number of bytes; `where` is for the error if it is not.
  struct Meeting {
    std::string what, where;
  };

  /// Waits until all cores are here, and passes the `bytes` of each to
  /// `combine`. Returns an error if a core comes to another meeting, or has
  /// ended.
  virtual std::optional<std::string>
  meet(const Meeting &meeting, const char *mine, int64_t bytes,
       llvm::function_ref<void(Parts)> combine) = 0;

  /// This core ends, with success or not: nobody waits for it.
  virtual void leave() = 0;

protected:
  /// The text for core `rank` at `own` while `other` is elsewhere, or has
  /// ended.
  static std::string describeMismatch(int64_t rank, const Meeting &own,
                                      int64_t other,
                                      const std::optional<Meeting> &meeting);

  CoreGroup(int64_t rank, int64_t size) : number(rank), count(size) {}

private:
  int64_t number, count;
};

/// Cores of this process, one per thread.
std::vector<std::unique_ptr<CoreGroup>> makeCoreGroup(int64_t size);

} // namespace mlir::trn

#endif // TRN_INTERPRETER_COREGROUP_H
