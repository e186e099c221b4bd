//===- TranslateToNKI.h - Kernels as NKI ------------------------*- C++ -*-===//
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

/// Writes the placed kernels of `module` as one Python file, and the origin of
/// each of its lines to `places`, unless null. Returns whether the file is
/// complete, which is certain without `bestEffort`. Emits errors for what NKI
/// cannot express:
/// - `nki_c1`: instructions are those of the dialect
/// - `nki_c2`: none is a `trn.select`
/// - `nki_c3`: after the beta, transposes on the tensor engine keep their type
///   in PSUM, or leave f32 in buffers that only transposes of one type write
/// - `nki_c4`: for the beta, accesses are indices and slices of dimensions
/// - `nki_c5`: for the beta, a reduction to columns has no gaps between its
///   free dimensions
/// - `nki_c6`: PSUM is not filled
/// - `nki_c7`: for the beta, products overwrite PSUM once per `trn.alloc`
/// - `nki_c8`: with addresses, no instruction needs an intermediate value
/// - `nki_c9`: constants are finite, and so are reciprocals of divisors
/// - `nki_c10`: the version compiles for the machine of the kernel
/// - `nki_c11`: for the beta, no DMA transposes
/// - `nki_c12`: scans do not divide, and a reduction has no scalar on the left
/// - `nki_c13`: the version has the function of each activation
/// - `nki_c14`: no instruction leaves indices in f32
/// - `nki_c15`: rows are chosen from a whole tensor, not in loops of the
///   device, and for the beta one per partition
/// - `nki_c16`: for the beta, cores do not meet
/// - `nki_c17`: for the beta, no elements are chosen within a partition
FailureOr<bool> translateToNKI(ModuleOp module, raw_ostream &os,
                               const NKIOptions &options,
                               SmallVectorImpl<std::string> *places = nullptr);

} // namespace trn
} // namespace mlir

#endif // TRN_TARGET_NKI_TRANSLATETONKI_H
