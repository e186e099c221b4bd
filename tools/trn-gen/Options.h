//===- Options.h - The command line of trn-gen ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_GEN_OPTIONS_H
#define TRN_TOOLS_TRN_GEN_OPTIONS_H

#include "trn/Generate/Specs.h"
#include "llvm/Support/CommandLine.h"

namespace mlir::trn::gen {

namespace cl = llvm::cl;

using Size = cl::opt<long long>;

/// The functions of a model.
enum class Mode { Prefill, Decode, Both };

extern cl::OptionCategory category;
extern cl::opt<std::string> kind, model, output;
extern Size rows, inner, innerRank, columns, hidden, intermediate, heads,
    kvHeads, headDim, rank, contextLength, window, tokenRows, batch, layers;
extern cl::opt<double> ratio, epsilon;
extern cl::opt<bool> dense, causal, qkNorm, allLogits, transposedInput,
    transposedOutput;
extern cl::opt<NormKind> normKind;
extern cl::opt<Mode> mode;
extern cl::opt<ElementType> dtype, weightType;

/// Ends the process, with a message, if options are no options.
void parseOptions(int argc, char **argv);

} // namespace mlir::trn::gen

#endif // TRN_TOOLS_TRN_GEN_OPTIONS_H
