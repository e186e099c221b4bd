//===- TimeBuckets.h - Times for simulators of serving ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_TIMEBUCKETS_H
#define TRN_TOOLS_TRN_LLM_TIMEBUCKETS_H

#include "TimeTable.h"

namespace mlir::trn {

/// Times each variant with prompts and caches of powers of two rows, up to
/// those of the options, and returns lines of CSV: the function, its rows, the
/// sequences, the cores, the name and the scheme of the variant, and
/// milliseconds. Fails with what the compiler says.
llvm::Expected<std::string> timeBuckets(llvm::ArrayRef<TimedVariant> variants,
                                        const ModelTimeOptions &options);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_TIMEBUCKETS_H
