//===- Passes.h - From products to kernels ----------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_OUTLINE_PASSES_H
#define TRN_TRANSFORMS_OUTLINE_PASSES_H

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Pass/Pass.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::trn {

/// The layout of the result of a chain that a compiled function returns.
enum class OutputLayout : uint8_t { Standard, Transposed };

/// The kernels for a chain X*U*V.
enum class StrategyRequest : uint8_t {
  Auto,       // whichever the model says is fastest
  StripCache, // one kernel that keeps a strip of each intermediate in SBUF
  Sequential, // a kernel for each product, intermediates in HBM between them
  Recompute,  // one kernel; every output block recomputes its rows of X*U
  NkiXw,      // a kernel for each product, in the vendor's loops
};

/// Whether regions and plans are chosen, but for some products.
inline bool isAutomatic(StrategyRequest strategy) {
  return strategy == StrategyRequest::Auto ||
         strategy == StrategyRequest::NkiXw;
}

/// How an intermediate gets the layout of a stationary operand.
enum class TransposeRequest : uint8_t { Auto, Implicit, Explicit };

/// The spellings of the enumerated pass options.
inline auto strategyValues() {
  return llvm::cl::values(
      clEnumValN(StrategyRequest::Auto, "auto",
                 "as few kernels as are modelled to be fastest"),
      clEnumValN(StrategyRequest::StripCache, "strip-cache",
                 "one kernel that keeps each row strip of X*U in SBUF"),
      clEnumValN(StrategyRequest::Sequential, "sequential",
                 "two kernels with X*U in HBM between them"),
      clEnumValN(StrategyRequest::Recompute, "recompute",
                 "one kernel that recomputes X*U for every output block"),
      clEnumValN(StrategyRequest::NkiXw, "nki-xw",
                 "a kernel for each product, in the loops of the vendor's "
                 "blocked product"));
}
inline auto transposeValues() {
  return llvm::cl::values(
      clEnumValN(TransposeRequest::Auto, "auto",
                 "whichever is modelled to be faster"),
      clEnumValN(TransposeRequest::Implicit, "implicit",
                 "the first product yields its transpose"),
      clEnumValN(TransposeRequest::Explicit, "explicit",
                 "the tensor engine transposes the intermediate"));
}
inline auto layoutValues() {
  return llvm::cl::values(
      clEnumValN(OutputLayout::Standard, "standard", "the result"),
      clEnumValN(OutputLayout::Transposed, "transposed",
                 "the transpose of the result; the type changes with it"));
}

#define GEN_PASS_DECL
#include "trn/Transforms/Outline/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "trn/Transforms/Outline/Passes.h.inc"

} // namespace mlir::trn

#endif // TRN_TRANSFORMS_OUTLINE_PASSES_H
