//===- Passes.td - From linalg to tiled kernels on tensors -*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_PASSES
#define TRN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SetMachine : Pass<"trn-set-machine", "::mlir::ModuleOp"> {
  let summary = "state the machine that a module is compiled for";
  let description = [{
    Writes `trn.machine` on the module, replacing one that is there. The machine
    is a known one or a JSON file that overrides single constants of one.
  }];
  let options = [
    Option<"machine", "machine", "std::string", /*default=*/"\"trn1\"",
           "a known machine, or a JSON file">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

def Specialize : Pass<"trn-specialize", "::mlir::ModuleOp"> {
  let summary = "give dynamic dimensions static sizes";
  let description = [{
    Gives the dynamic dimensions of arguments of public functions the sizes that
    `sizes` has, one for each that varies on its own, in the order of the
    arguments: dimensions that ops of the function need to be equal are one, and
    those that are equal to a static one need none. Results become as static as
    is known then.

    Calls of private functions with dynamic arguments are inlined where all
    tensors are known to be static, with `sizes` or without.

    What is written with `tensor.dim` becomes static by upstream's
    canonicalization. What does not stays dynamic.
  }];
  let options = [
    Option<"sizes", "sizes", "std::string", /*default=*/"\"\"",
           "sizes with x between them: 1x128">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def InlineHelpers : Pass<"trn-inline-helpers", "::mlir::ModuleOp"> {
  let summary = "bring helpers to the products that use them";
  let description = [{
    Inlines calls of private functions without a product into functions with
    one, and erases what is not called any more if some function is public:
    `call @silu(%y)`, as JAX has it, would be host code between two kernels. Kernels, functions with products,
    which are compiled once for all of their calls, and functions of several
    blocks stay.
  }];
}

def NormalizeProducts : Pass<"trn-normalize-products", "::mlir::func::FuncOp"> {
  let summary = "bring matrix products into one form";
  let description = [{
    Rewrites what surrounds products in linalg on tensors, so that
    `trn-outline-kernels` finds them, whatever they were written as:

    - elementwise ops on tensors, casts too, become generics, whose indices of
      dimensions of one are loops, and tensors get the static shapes that are
      known;
    - a product accumulates onto zeros, and what it was given beside that is
      added behind it;
    - a product reads through transpositions, broadcasts and widening of its
      operands, and so do elementwise ops;
    - a product of vectors, of a batch with one weight, or with several
      dimensions of rows, columns or contraction becomes a product of two
      matrices, with `tensor.collapse_shape` and `tensor.expand_shape` around it;
    - these reshapes come behind elementwise ops, and vanish between products;
      a tensor that several products read is reshaped once.

    Dimensions that are no neighbours in an operand are moved next to each other
    by a `linalg.transpose` on the host, which a remark says. Undefined elements
    that a product accumulates onto are taken for zeros, with a remark, too.
    Functions without products stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OutlineKernels : Pass<"trn-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "move matrix products, and what is computed of them, into kernels";
  let description = [{
    Finds products `X*W` and chains of them, `X*U*V` and longer, in linalg on
    tensors, moves each into a private function with the attribute
    `trn.kernel`, and leaves a call. The kernel
    takes plain memrefs (HBM), results last. The kernels of `@f` are numbered in
    source order: `@f_kernel`, `@f_kernel_2`, and so on; those that are equal
    are one. Everything else in the function stays as it is. A product that
    cannot become a kernel stays too, with a remark that says why.

    Unless a strategy is asked for, a kernel takes over the elementwise ops that
    read its products (bias, scale, residual, activation, gate), products that
    read the same X, and those that read what it computes, if it can be called
    behind all that it reads and before all that reads its results. Where that
    has no plan, its parts stay apart, which a remark says.

    A product is a contraction of bf16, f16 or f32 whose body is one
    multiplication and one addition in the type of the result, of operands that
    are widened at most. The kernel accumulates in f32. It takes over roundings
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
  }];
  let options = [
    Option<"strategy", "strategy", "::mlir::trn::StrategyRequest",
           /*default=*/"::mlir::trn::StrategyRequest::Auto",
           "how a chain becomes kernels", "strategyValues()">,
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

def LowerKernels : Pass<"trn-lower-kernels", "::mlir::func::FuncOp"> {
  let summary = "turn planned kernels into instructions on buffers";
  let description = [{
    Replaces the body of a kernel, which is linalg on tensors, by the loops that
    its `trn.schedule` stands for: transfers, tile instructions and buffers
    without addresses. Every instruction carries the stage that it belongs to in
    `trn.stage`, every buffer the matrix that it holds in `trn.matrix`. It is an
    error if the schedule computes something else than the body.

    A kernel that has been lowered already stays as it is.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // TRN_TRANSFORMS_PASSES
