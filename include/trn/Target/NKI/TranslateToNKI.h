//===- TranslateToNKI.h - Kernels as the vendor's Python --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TARGET_NKI_TRANSLATETONKI_H
#define TRN_TARGET_NKI_TRANSLATETONKI_H

#include "trn/Target/NKI/NKIOptions.h"

#include "mlir/Support/LLVM.h"
#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ModuleOp;
namespace trn {

/// Writes the kernels of `module`, which are placed, as one Python file, and
/// where each line of it comes from to `places`, unless null. Returns whether
/// it says all that they do, which it always does without `bestEffort`. Emits
/// errors; what NKI has no words for:
/// - `nki_c1`: instructions are those of the dialect
/// - `nki_c2`: none is a `trn.select`
/// - `nki_c3`: after the beta, transposes on the tensor engine leave their type
///   in PSUM, or f32 in buffers that transposes of one type alone write
/// - `nki_c4`: for the beta, accesses are indices and slices of dimensions
/// - `nki_c5`: for the beta, what is reduced to columns has no gaps between its
///   free dimensions
/// - `nki_c6`: PSUM is not filled
/// - `nki_c7`: for the beta, products overwrite PSUM once for each `trn.alloc`
/// - `nki_c8`: with addresses, no instruction needs an intermediate value
/// - `nki_c9`: constants are finite, and reciprocals of what divides
/// - `nki_c10`: the version compiles for the machine of the kernel
/// - `nki_c11`: for the beta, no DMA transposes
/// - `nki_c12`: scans do not divide, and no scalar is on the left of what is
///   reduced
/// - `nki_c13`: the version has the function of each activation
/// - `nki_c14`: no instruction leaves indices in f32
/// - `nki_c15`: rows are chosen of all that a tensor has, not in loops of the
///   device, and for the beta one for each partition
/// - `nki_c16`: for the beta, cores do not meet
FailureOr<bool> translateToNKI(ModuleOp module, raw_ostream &os,
                               const NKIOptions &options,
                               SmallVectorImpl<std::string> *places = nullptr);

} // namespace trn
} // namespace mlir

#endif // TRN_TARGET_NKI_TRANSLATETONKI_H
