//===- Passes.td - Matrix products in one form -------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_NORMALIZE_PASSES
#define TRN_TRANSFORMS_NORMALIZE_PASSES

include "mlir/Pass/PassBase.td"

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
  let summary = "bring helpers to what uses them";
  let description = [{
    Inlines calls of private functions without a product into public functions
    and those with one, and erases what is not called any more if some function
    is public: `call @silu(%y)`, as JAX has it, would be host code between two
    kernels. Kernels, functions with products, which are compiled once for all of
    their calls, and functions of several blocks stay.
  }];
}

def NormalizeRows : Pass<"trn-normalize-rows", "::mlir::func::FuncOp"> {
  let summary = "bring reductions of rows into one form";
  let description = [{
    Rewrites reductions in linalg on tensors, what moves columns, and what
    computes element by element before and behind them or far from products, as
    norms, softmax and rotary embeddings do, so that `trn-outline-kernels` finds
    them:

    - loops by `scf.while` that count become `scf.for`, and those that write a
      part of a tensor in each iteration are unrolled;
    - `linalg.softmax`, named ops, casts and broadcasts become generics;
    - results that nobody reads go, as the index of a maximum;
    - dimensions of one index go, but for one row; `tensor.collapse_shape` and
      `tensor.expand_shape` stand for them around what is computed;
    - where a condition on indices, or on integers, chooses between a value and
      a constant, the value is compared with a mask of numbers;
    - halves or neighbours of columns that are computed alike and put together,
      as in rotary embeddings, are computed at once;
    - slices of columns that are put together again, or computed with and put
      together, are products with constant matrices;
      so are other readers of what is rotated, if rows were reduced for it, and
      heads of a product that the function returns one after the other;
    - rows in several dimensions become one, unless some are a product's batches
      or are told apart, as positions are by cosines;
    - elementwise ops with several results are one for each;
    - where these meet neither products nor reductions, neighbouring dimensions
      become one, and long ones become rows for the partitions and columns.

    Other products, which `trn-normalize-products` knows, and dynamic shapes stay
    as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
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
      a tensor that several products read is reshaped once;
    - what reduces rows of a product takes them in its dimensions;
    - few queries of heads that share keys are rows of one product, with a copy
      of their mask for each head.

    Dimensions that are no neighbours in an operand are moved next to each other
    by a `linalg.transpose` on the host, which a remark says. Undefined elements
    that a product accumulates onto are taken for zeros, with a remark, too.
    Functions without products stay as they are.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DropMaxima : Pass<"trn-drop-maxima", "::mlir::func::FuncOp"> {
  let summary = "compute softmax without maxima";
  let description = [{
    A softmax subtracts the maximum of a row from all its scores, so that no
    exponential is too large. Its result is the same for any other number. This
    pass subtracts nothing, and the maxima are not computed:

    ```mlir
    %p = linalg.generic ins(%s, %m) { exp(subf(%s, %m)) }
    %l = linalg.generic ins(%p) { addf(%p, %l) }            // rows
    %q = linalg.generic ins(%p, %l) { divf(%p, %l) }
    ```

    becomes

    ```mlir
    %p = linalg.generic ins(%s) { exp(%s) }
    %l = linalg.generic ins(%p) { addf(%p, %l) }
    %c = linalg.generic ins(%l) { mulf(%l, %l == clamp(%l, 2^-64, 2^96)) }
    %q = linalg.generic ins(%p, %c) { divf(%p, %c) }
    ```

    Large or small scores are out of range then. All results of such a row are
    infinite or NaN, as it is divided by 0. Scores of deviation 9 are inside,
    those of 25 are not. What exponentials multiply is not checked: values below
    2^-60 may lose bits.

    It follows all that is computed with a maximum. A remark says for each one
    whether it is dropped, and if not, what depends on it. Run it behind
    `trn-normalize-rows` and `trn-normalize-products`, since it knows generics.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // TRN_TRANSFORMS_NORMALIZE_PASSES
