//===- TimeVariants.h - What trn-llm time compares --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TIMEVARIANTS_H
#define TRN_TOOLS_TRN_LLM_TIMEVARIANTS_H

#include "TimeTable.h"

namespace mlir::trn {

/// The variants of a model that --ratio, --cut, --tp and --batch ask for, not
/// timed yet. What a core cannot hold is left out with a note. Fails if that is
/// all of them, or where an option asks for what cannot be had.
llvm::Expected<std::vector<TimedVariant>>
listVariants(const ModelConfig &config, const ModelTimeOptions &options);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TIMEVARIANTS_H
