//===- Passes.td - Passes that simulate ---------------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PIPELINES_PASSES
#define TRN_PIPELINES_PASSES

include "mlir/Pass/PassBase.td"

def PlanKernels : Pass<"trn-plan-kernels", "::mlir::ModuleOp"> {
  let summary = "choose the loops and buffers of kernels";
  let description = [{
    Writes a `trn.schedule` on every kernel whose body is linalg on tensors: its
    graph, and the loops and buffers of its matrices. Plans are
    compiled and simulated for the module's machine; the fastest one is taken.
    Nothing depends on how long that takes or on the number of threads. Kernels
    that compute the same are planned once. A kernel that has a plan keeps it.

    Where two kernels are modelled to be faster than one, with an intermediate
    in HBM between them, `@f` becomes `@f_first` and `@f_second`, and so do the
    calls; either may be split again. Only private kernels that are only called are
    split, and only without user constraints.

    A block size of 0 is chosen; any other is a constraint, and it is an error if
    no plan with it fits SBUF.

    With `plan-cache` plans are read from the files of a folder and written
    there. The code and the remarks are those of a search, byte for byte. A file
    that cannot be used is ignored with a warning. Without the option, the folder
    is that of the environment variable `TRN_PLAN_CACHE`, if there is one.
  }];
  let options = [
    Option<"strategy", "strategy", "::mlir::trn::StrategyRequest",
           /*default=*/"::mlir::trn::StrategyRequest::Auto",
           "how a chain becomes kernels", "strategyValues()">,
    Option<"transpose", "transpose", "::mlir::trn::TransposeRequest",
           /*default=*/"::mlir::trn::TransposeRequest::Auto",
           "how an intermediate gets its layout", "transposeValues()">,
    Option<"blockM", "block-m", "int64_t", /*default=*/"0",
           "the same as m in blocks; 0 = choose">,
    Option<"blockK", "block-k", "int64_t", /*default=*/"0",
           "the same as k in blocks; 0 = choose">,
    Option<"blockR", "block-r", "int64_t", /*default=*/"0",
           "the same as r in blocks; 0 = choose">,
    Option<"blockN", "block-n", "int64_t", /*default=*/"0",
           "the same as n in blocks; 0 = choose">,
    Option<"blocks", "blocks", "std::string", /*default=*/"\"\"",
           "sizes of blocks by dim: m=512,r1=256">,
    Option<"keep", "keep", "std::string", /*default=*/"\"\"",
           "the innermost loop around the buffer of a matrix: u=kernel,v=m">,
    Option<"effort", "effort", "int64_t", /*default=*/"4000",
           "how many plans of a kernel are simulated at most">,
    Option<"planCache", "plan-cache", "std::string", /*default=*/"\"\"",
           "folder to keep plans in, and to take those from that were kept">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

#endif // TRN_PIPELINES_PASSES
