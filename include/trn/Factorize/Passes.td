//===- Passes.td - Weights to factors -----------------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_FACTORIZE_PASSES
#define TRN_FACTORIZE_PASSES

include "mlir/Pass/PassBase.td"

def CompressWeights : Pass<"trn-compress", "::mlir::ModuleOp"> {
  let summary = "replace weights of products by two factors";
  let description = [{
    Replaces `X * W` by `(X * U) * V`, with factors of rank `rank`, or of the
    nearest multiple of `block` for which the share `ratio` of the parameters of
    a weight is gone. Weights are

    - constants, which are factored: by the truncated singular value
      decomposition, or, with `grams`, by the factors that keep the products
      with their inputs best (SVD-LLM);
    - arguments with `trn.param`, which only get new names and types: `U` comes
      first, and `a.gate_proj.weight` becomes `a.gate_v_proj.weight` and
      `a.gate_u_proj.weight`, as `trn-compress` calls them in the folders that
      it writes. This changes the signature of public functions.

    A weight may be any tensor of bf16, f16 or f32, and its products any
    contraction of linalg that a transposition, broadcast or conversion of it
    goes into. A factor lies as the weight does: of `[in, out]` they are
    `[in, rank]` and `[rank, out]`, of `[out, in]` they are `[rank, in]` and
    `[out, rank]`. Weights that are handed to functions of the module become
    factors there, too. What is between the products is summed in f32 at least
    and rounded to the type of X, as kernels do it.

    `grams` is a safetensors file with the means of `x x^T` over inputs x of
    each constant, `[in, in]`: under the name of its resource, or, if it is no
    resource, as `FUNCTION.N` for the Nth such constant of a function, from 0
    on, that products and calls read.

    `modules` and `ignore` choose weights by these names or those of
    `trn.param`, without `.weight`, as the options of the tool do: `mlp`,
    `attention`, or ends of names. A weight stays whole, and a remark says why,
    if factors would save no parameters, if anything but plain products reads
    it, or if another argument with its name stays whole. Other code stays as it
    is.

    ```mlir
    func.func @main(%x: tensor<16x96xbf16>,
                    %w: tensor<128x96xbf16> {trn.param = "up_proj.weight"})
        -> tensor<16x128xf32> {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<16x128xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x128xf32>)
          -> tensor<16x128xf32>
      %y = linalg.matmul
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (n, k)>,
                           affine_map<(m, n, k) -> (m, n)>]
          ins(%x, %w : tensor<16x96xbf16>, tensor<128x96xbf16>)
          outs(%fill : tensor<16x128xf32>) -> tensor<16x128xf32>
      return %y : tensor<16x128xf32>
    }
    ```

    With `rank=32`, `@main` takes `tensor<32x96xbf16>` for
    `up_v_proj.weight` and `tensor<128x32xbf16>` for `up_u_proj.weight`.
  }];
  let options = [
    Option<"rank", "rank", "int64_t", /*default=*/"0", "rank of all factors">,
    Option<"ratio", "ratio", "double", /*default=*/"0",
           "share of the parameters of each weight to remove">,
    Option<"block", "block", "int64_t", /*default=*/"128",
           "ranks that come from ratio are multiples of this">,
    ListOption<"modules", "modules", "std::string",
               "mlp, attention, or ends of names of weights that get factors "
               "(default: all)">,
    ListOption<"ignore", "ignore", "std::string",
               "regular expressions for names of weights that stay whole">,
    Option<"grams", "grams", "std::string", /*default=*/"\"\"",
           "safetensors file of Gram matrices of inputs">
  ];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

#endif // TRN_FACTORIZE_PASSES
