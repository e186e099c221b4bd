//===- Passes.td - From products to kernels ----------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_OUTLINE_PASSES
#define TRN_TRANSFORMS_OUTLINE_PASSES

include "mlir/Pass/PassBase.td"

def OutlineKernels : Pass<"trn-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "move matrix products, and their uses, into kernels";
  let description = [{
    Finds products `X*W` and chains of them, `X*U*V` and longer, in linalg on
    tensors, moves each into a private function with the attribute
    `trn.kernel`, and leaves a call. The kernel
    takes plain memrefs (HBM), results last. The kernels of `@f` are numbered in
    source order: `@f_kernel`, `@f_kernel_2`, and so on; those that are equal
    are one. Everything else in the function stays as it is. A product that
    cannot become a kernel stays too, with a remark that says why.

    Unless a strategy is requested, a kernel takes over the elementwise ops that
    read its products (bias, scale, residual, activation, gate), products that
    read the same X, and products that read its results, if the call can be after
    all of its operands and before all users of its results. If there is no plan
    for that, its parts stay apart, with a remark.

    A product is a contraction of bf16, f16 or f32 whose body is one
    multiplication and one addition in the type of the result, with operands that
    are extended at most. The kernel accumulates in f32. It takes over roundings
    to nearest even and transpositions that read the result; roundings of other
    modes stay where they are. Every kernel is compared with the code that
    it replaces: on each path from an input to the result it must round to the
    same types in the same way, or the code stays. Only `allow-rounding` lets it
    round once more, which a remark says, or multiply weights of a chain with
    each other first where that takes less time.

    With `output-layout=transposed` a public function returns the transpose of
    a product, if nothing in the module refers to the function; otherwise a
    remark says why its layout stays.

    Under the strategy `sequential`, and where a chain has no plan that fits the
    machine, its products become kernels of their own with the intermediates in
    HBM.

    Under `nki-xw` each product is a kernel of its own, and so is what is computed
    between products. The kernels of products come with a plan: the loops of the
    vendor's fully blocked product, which
    [the plan](../../include/trn/Search/BlockedPlan.h) lists. It is what others
    are compared with. `strategy-for=.mlp.` limits it to weights with that in
    their `trn.param`; everything else is as without a strategy.
  }];
  let options = [
    Option<"strategy", "strategy", "::mlir::trn::StrategyRequest",
           /*default=*/"::mlir::trn::StrategyRequest::Auto",
           "how a chain becomes kernels", "strategyValues()">,
    Option<"strategyFor", "strategy-for", "std::string", /*default=*/"\"\"",
           "part of the names of weights that `nki-xw` is for">,
    Option<"transpose", "transpose", "::mlir::trn::TransposeRequest",
           /*default=*/"::mlir::trn::TransposeRequest::Auto",
           "how an intermediate gets its layout", "transposeValues()">,
    Option<"outputLayout", "output-layout", "::mlir::trn::OutputLayout",
           /*default=*/"::mlir::trn::OutputLayout::Standard",
           "what a function that returns a result returns", "layoutValues()">,
    Option<"allowRounding", "allow-rounding", "bool", /*default=*/"false",
           "keep an f32 intermediate in the type of the weights, and multiply "
           "in the fastest order">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlineCollectives : Pass<"trn-outline-collectives", "::mlir::ModuleOp"> {
  let summary = "move collectives into kernels";
  let description = [{
    What cores do together in the Shard dialect becomes the call of a kernel with one
    instruction. Equal ones are one kernel.

    | op | instruction |
    |---|---|
    | `shard.all_reduce`, `shard.reduce` | `trn.all_reduce` |
    | `shard.all_gather`, `shard.gather` | `trn.all_gather` |
    | `shard.reduce_scatter` | `trn.reduce_scatter` |
    | `shard.all_to_all`, `shard.scatter` | `trn.all_to_all` |
    | `shard.shift`, `shard.broadcast` | `trn.collective_permute` |

    Others than the root have the result of `gather` and `reduce`, too. Of what cores
    exchange, a `scatter` keeps the piece of the root. `shard.all_slice`, in which
    nothing is exchanged, becomes a slice at the place of the core. Reductions are by
    sum, product, max or min. Along some axes of the grid, cores meet in groups. All
    else is an error.

    `shard.process_linear_index`, `shard.process_multi_index` and `shard.grid_shape`
    stay in host code. An `scf.if` that yields the same fill in both branches becomes
    the fill: `shard-partition` of upstream starts sums over cores that way. A slice of
    what is computed of a collective, element by element, is taken first.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // TRN_TRANSFORMS_OUTLINE_PASSES
