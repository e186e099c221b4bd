//===- Passes.h - Passes that simulate --------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PIPELINES_PASSES_H
#define TRN_PIPELINES_PASSES_H

#include "trn/Transforms/Outline/Passes.h"

namespace mlir::trn {

#define GEN_PASS_DECL
#include "trn/Pipelines/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Pipelines/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_PIPELINES_PASSES_H
