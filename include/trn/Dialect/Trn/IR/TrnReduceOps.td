//===- TrnReduceOps.td - Many values into one --------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNREDUCEOPS
#define TRN_DIALECT_TRN_IR_TRNREDUCEOPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_TensorReduceOp : Trn_InstructionOp<"tensor_reduce"> {
  let summary = "reduce the last free dimensions on the vector engine";
  let description = [{
    Computes `dst[i, k...] = function over all j... of src[i, k..., j...]`: the
    elements are folded in row-major order in f32, starting with the first, and
    the result is rounded to the element type of `dst`. A NaN stays NaN. Which
    dimensions are left follows from `dst`: those that its shape begins with;
    `128x1` keeps the partitions alone. `negated` flips the sign of the result.
    Sums and maxima of bf16 values into bf16 take half the cycles. To reduce over
    partitions, multiply with ones on the tensor engine.

    ```mlir
    %squares = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %sums = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    trn.tensor_reduce add(%squares : memref<128x512xf32, #trn.mem<sbuf>>)
        into %sums : memref<128x1xf32, #trn.mem<sbuf>>
    %heads = trn.alloc : memref<128x8x64xf32, #trn.mem<sbuf>>
    %bounds = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    trn.tensor_reduce max(%heads : memref<128x8x64xf32, #trn.mem<sbuf>>) negated
        into %bounds : memref<128x8xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `tensor_reduce_c1`: the shape of `dst` is that of `src` up to a dimension,
      the partition at least, and then ones
    - `tensor_reduce_c2`: they have at most 128 partitions
  }];
  let arguments = (ins
    Trn_ReduceFunctionProp:$function,
    Trn_Tile:$src,
    Trn_Tile:$dst,
    UnitAttr:$negated);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)` (`negated` $negated^)?
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_PartitionReduceOp : Trn_InstructionOp<"partition_reduce"> {
  let summary = "reduce over the partitions on GpSimd";
  let description = [{
    Computes `dst[0, j...] = function over all i of src[i, j...]`: the partitions
    are folded in order in f32, starting with the first, and the result is rounded
    to the element type of `dst`. A NaN stays NaN.

    ```mlir
    %x = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %sums = trn.alloc : memref<1x512xf32, #trn.mem<sbuf>>
    trn.partition_reduce add(%x : memref<128x512xf32, #trn.mem<sbuf>>)
        into %sums : memref<1x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `partition_reduce_c1`: `dst` has the free dimensions of `src`, and one
      partition
    - `partition_reduce_c2`: `src` has at most 128 partitions
    - `partition_reduce_c3`: it adds or takes the largest value
  }];
  let arguments = (ins
    Trn_ReduceFunctionProp:$function,
    Trn_SbufTile:$src,
    Trn_SbufTile:$dst);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)` `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNREDUCEOPS
