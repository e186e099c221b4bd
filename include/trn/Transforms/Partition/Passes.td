//===- Passes.td - Modules that several cores run together --*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_PARTITION_PASSES
#define TRN_TRANSFORMS_PARTITION_PASSES

include "mlir/Pass/PassBase.td"

def Partition : Pass<"trn-partition", "::mlir::ModuleOp"> {
  let summary = "split a model over several cores";
  let description = [{
    Turns a module, linalg on tensors, into the one that each of `cores` cores runs
    on its piece of the weights (tensor parallelism). All run the same code, and
    nothing in it asks for the number of a core. Collectives of upstream's shard
    dialect stand where cores exchange tensors.

    Weights are found by `trn.param`, with the names of checkpoints of llama,
    mistral, qwen2 and qwen3. Which dimension holds the outputs of a weight, and
    which the inputs, follows from its products.

    - `q_proj`, `k_proj`, `v_proj`, `gate_proj`, `up_proj`, their biases and
      `lm_head` are split by outputs, the first three by whole heads;
    - `o_proj` and `down_proj` are split by inputs. Their products are sums over
      cores, which an `all_reduce` follows, and their bias after it;
    - a tied `embed_tokens` stays whole for the lookup. The product with it reads a
      new last argument, of the same `trn.param`, that is split.

    With fewer heads of keys than cores, several cores have the same ones. A number
    of cores that heads cannot be split over is an error.

    Of a weight with factors (`gate_v_proj` comes first, then `gate_u_proj`) the
    scheme says what is split:

    | scheme | gate, up | down | collectives beside one `all_reduce` a layer for attention |
    |---|---|---|---|
    | `column` | the second one by outputs | the first one by inputs | one `all_reduce`, after both factors |
    | `gather` | the first one by rank, the second one by outputs | the first one by inputs, the second one by rank | an `all_gather` for each of gate and up, a `reduce_scatter`, an `all_reduce` |
    | `reduce` | both by rank | both by rank | an `all_reduce` for each |

    Factors of attention are split as `column` does, in each scheme.

    An argument without `trn.param` is split if what reads it is, as a cache of keys
    is. Arguments and results that are split have the type of a piece, and
    `trn.shard`. If it stands on an argument with the type of the whole before, it
    requests this split. Sizes that cores cannot share evenly are padded with zeros
    if results do not change by that. Where an op needs all of a split tensor,
    `all_gather` brings it together, and a remark says so. A weight stays whole if
    what it is multiplied with is, unless its split is requested. Functions that
    others call stay as they are.

    If one logical core of several cores runs the module (`cores=1`, `lnc=2`), a
    function without such a name and without `trn.shard` is split, too: a product, a
    chain, attention, a norm. Each dimension of each argument is tried, up to 64. The
    one with which a core has the least bound is chosen: by its FLOPs, by the bytes of
    its arguments and results, and by what the cores exchange. So rows are shared if
    there are many of them, else columns, or both factors of a chain with a sum. If
    all that a function names is one MLP without factors, the choice is the same, and
    the split by names is one of those tried. The remark `Shared` names the choice.

    ```mlir
    func.func @down(%h: tensor<16x128xbf16>,
                    %w: tensor<64x128xbf16> {trn.param = "down_proj.weight"})
        -> tensor<16x64xf32> {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<16x64xf32>
      %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x64xf32>)
          -> tensor<16x64xf32>
      %y = linalg.matmul
          indexing_maps = [affine_map<(m, n, k) -> (m, k)>,
                           affine_map<(m, n, k) -> (n, k)>,
                           affine_map<(m, n, k) -> (m, n)>]
          ins(%h, %w : tensor<16x128xbf16>, tensor<64x128xbf16>)
          outs(%fill : tensor<16x64xf32>) -> tensor<16x64xf32>
      return %y : tensor<16x64xf32>
    }
    ```

    With `cores=2`, `@down` takes `tensor<16x64xbf16>` and `tensor<64x64xbf16>`, and
    `shard.all_reduce` follows the product.
  }];
  let options = [
    Option<"logicalCores", "cores", "int64_t", /*default=*/"1",
           "number of logical cores that run the module">,
    Option<"lnc", "lnc", "int64_t", /*default=*/"0",
           "cores of a logical core; 0 takes the machine's constant lnc">,
    Option<"scheme", "scheme", "::mlir::trn::PartitionScheme",
           /*default=*/"::mlir::trn::PartitionScheme::Column",
           "how factors of weights are split",
           "partitionSchemeValues()">
  ];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::shard::ShardDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::trn::TrnDialect"];
}

#endif // TRN_TRANSFORMS_PARTITION_PASSES
