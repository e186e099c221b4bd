//===- PlanCache.h - Plans on disk ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PIPELINES_PLANCACHE_H
#define TRN_LIB_PIPELINES_PLANCACHE_H

#include "trn/Search/KnownPlans.h"

#include "mlir/IR/MLIRContext.h"

namespace mlir::trn {

/// Plans in a folder, a text file each, which processes may share. A file
/// begins with all that its plan depends on and is called after the hash of
/// that. The dialect of `context` is loaded.
class PlanCache final : public search::PlanStore {
public:
  /// Makes the folder if there is none. Fails, and says what to do, if no file
  /// can be written there.
  static llvm::Expected<PlanCache> open(StringRef folder, MLIRContext *context);

  /// None, with a warning, if there is a file for it that cannot be used.
  std::optional<search::FoundPlan>
  load(const search::PlanQuestion &question) override;
  /// Replaces what is there. Warns if that cannot be done.
  void keep(const search::PlanQuestion &question,
            const search::FoundPlan &found) override;

private:
  PlanCache(StringRef folder, MLIRContext *context)
      : folder(folder.str()), context(context) {}
  llvm::Expected<search::FoundPlan>
  read(StringRef text, StringRef key,
       const search::PlanQuestion &question) const;
  llvm::Expected<planning::Schedule>
  readSchedule(StringRef text, const search::PlanQuestion &question) const;
  void warn(const Twine &problem) const;

  std::string folder;
  MLIRContext *context;
};

} // namespace mlir::trn

#endif // TRN_LIB_PIPELINES_PLANCACHE_H
