//===- MergeTokens.h - Neighbours that become one ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TOKENIZE_MERGETOKENS_H
#define TRN_LIB_TOKENIZE_MERGETOKENS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::trn {

/// What two neighbours become; the least rank goes first.
struct TokenMerge {
  double rank;
  int32_t token;
};

/// The merge of two tokens, if there is one.
using FindMerge =
    llvm::function_ref<std::optional<TokenMerge>(int32_t left, int32_t right)>;

/// Byte pair encoding: as long as neighbours can be merged, those of the least
/// rank are, the leftmost of equals. `find` depends on nothing but the tokens.
/// In O(n log n).
void mergeTokens(std::vector<int32_t> &tokens, FindMerge find);

} // namespace mlir::trn

#endif // TRN_LIB_TOKENIZE_MERGETOKENS_H
