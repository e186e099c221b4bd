//===- TrackNames.h - The tracks of a timeline ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_REPORT_TRACKNAMES_H
#define TRN_REPORT_TRACKNAMES_H

#include "trn/Program/Instruction.h"
#include "llvm/ADT/StringRef.h"

namespace mlir::trn {

/// The name of an engine's or DMA queue's track, by `Engine`.
constexpr llvm::StringLiteral trackNames[numEngines] = {
    "tensor engine", "vector engine", "scalar engine", "gpsimd engine",
    "collectives",   "dma loads",     "dma stores"};

} // namespace mlir::trn

#endif // TRN_REPORT_TRACKNAMES_H
