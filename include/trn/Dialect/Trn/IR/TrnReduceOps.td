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
  let summary = "reduce each partition to one value on the vector engine";
  let description = [{
    Computes `dst[i, 0] = function over all j... of src[i, j...]`: the elements of
    a partition are folded in row-major order in f32, starting with the first,
    and the result is rounded to the element type of `dst`. A NaN stays NaN. Sums
    and maxima of bf16 values into bf16 take half the cycles. To reduce over
    partitions, multiply with ones on the tensor engine.

    ```mlir
    %squares = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %sums = trn.alloc : memref<128x1xf32, #trn.mem<sbuf>>
    trn.tensor_reduce add(%squares : memref<128x512xf32, #trn.mem<sbuf>>)
        into %sums : memref<128x1xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `tensor_reduce_c1`: `dst` holds one value for each partition of `src`
    - `tensor_reduce_c2`: they have at most 128 partitions
  }];
  let arguments = (ins
    Trn_ReduceFunctionProp:$function,
    Trn_OnChipView:$src,
    Trn_Tile:$dst);
  let assemblyFormat = [{
    $function `(` $src `:` type($src) `)` `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNREDUCEOPS
