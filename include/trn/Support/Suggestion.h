//===- Suggestion.h - Suggestions for misspelt names ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_SUGGESTION_H
#define TRN_SUPPORT_SUGGESTION_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::trn {

/// `; did you mean 'x'?` for the candidate closest to `name`, or nothing.
template <typename Range>
std::string suggest(llvm::StringRef name, Range &&candidates) {
  llvm::StringRef nearest;
  unsigned best = name.size() / 2 + 1;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?";
}

} // namespace mlir::trn

#endif // TRN_SUPPORT_SUGGESTION_H
