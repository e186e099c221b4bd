//===- TrnCountingOps.td - Counts of GpSimd ----------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNCOUNTINGOPS
#define TRN_DIALECT_TRN_IR_TRNCOUNTINGOPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_IotaOp : Trn_InstructionOp<"iota"> {
  let summary = "count through a tile on GpSimd";
  let description = [{
    Computes `dst[i, j...] = start + i * partition_step + the sum of each j * its
    step`, rounded to the element type of `dst`. There is a step for each free
    dimension: `step` is the one of a tile of two dimensions. The value before
    rounding is exact: its magnitude is at most 2^24.

    ```mlir
    %row = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    trn.iota %row start 0 step 1 : memref<128x512xf32, #trn.mem<sbuf>>
    trn.iota %row start -127 step 0 partition_step 1 : memref<128x512xf32, #trn.mem<sbuf>>
    %blocks = trn.alloc : memref<128x4x128xf32, #trn.mem<sbuf>>
    trn.iota %blocks start 0 steps [512, 1] : memref<128x4x128xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `iota_c1`: `dst` has at most 128 partitions
    - `iota_c2`: `start`, the steps and each value are integers that f32 holds
      exactly
    - `iota_c3`: each free dimension of `dst` has a step
  }];
  let arguments = (ins
    Trn_SbufTile:$dst,
    I32Prop:$start,
    DenseI32ArrayAttr:$steps,
    DefaultValuedProp<I32Prop, "0">:$partition_step);
  let assemblyFormat = [{
    $dst `start` $start custom<Steps>($steps) (`partition_step` $partition_step^)?
    `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
    /// Of the first free dimension.
    int32_t getStep() { return getSteps().front(); }
  }];
}

def Trn_AffineSelectOp : Trn_InstructionOp<"affine_select"> {
  let summary = "keep the elements of a tile whose index meets a condition";
  let description = [{
    Computes `dst[i, j...] = count(i, j...) predicate 0 ? src[i, j...] :
    otherwise` on GpSimd, where the count is `start + i * partition_step + the sum
    of each j * its step`, as in `trn.iota`. Here, each row keeps its first
    columns, one more than the row before: a causal mask.

    ```mlir
    %scores = trn.alloc : memref<128x128xf32, #trn.mem<sbuf>>
    trn.affine_select ge(%scores : memref<128x128xf32, #trn.mem<sbuf>>)
        start 0 partition_step 1 steps [-1] otherwise -3.0e38
        into %scores : memref<128x128xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `affine_select_c1`: `src` and `dst` have the same shape
    - `affine_select_c2`: they have at most 128 partitions
    - `affine_select_c3`: `start`, the steps and each count are integers that f32
      holds exactly
    - `affine_select_c4`: each free dimension has a step
    - `affine_select_c5`: the predicate is a comparison
  }];
  let arguments = (ins
    Trn_BinaryFunctionProp:$predicate,
    Trn_SbufTile:$src,
    Trn_SbufTile:$dst,
    I32Prop:$start,
    DefaultValuedProp<I32Prop, "0">:$partition_step,
    DenseI32ArrayAttr:$steps,
    F32Attr:$otherwise);
  let assemblyFormat = [{
    $predicate `(` $src `:` type($src) `)` `start` $start
    (`partition_step` $partition_step^)? `steps` $steps `otherwise` $otherwise
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNCOUNTINGOPS
