//===- TrnTensorEngineOps.td - Products and transposes -----*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNTENSORENGINEOPS
#define TRN_DIALECT_TRN_IR_TRNTENSORENGINEOPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_MatmulOp : Trn_InstructionOp<"matmul", ["mayAccumulate"]> {
  let summary = "multiply the transposed stationary tile by the moving tile";
  let description = [{
    Computes `dst[m, n] (+)= sum over k of stationary[k, m] * moving[k, n]` on
    the tensor engine, with sums in f32. `k` runs over partitions, so both
    operands hold `k` first. `accumulate` chooses between adding to what is in
    PSUM and overwriting it; absent means overwriting. A sum over more than one
    tile of `k` starts by overwriting. The free dimensions of an operand count as
    one: 4 x 128 of them are 512 columns.

    ```mlir
    %w = trn.alloc : memref<128x64xbf16, #trn.mem<sbuf>>
    %x = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    %y = trn.alloc : memref<64x512xf32, #trn.mem<psum>>
    trn.matmul stationary(%w : memref<128x64xbf16, #trn.mem<sbuf>>)
               moving(%x : memref<128x512xbf16, #trn.mem<sbuf>>)
               into %y : memref<64x512xf32, #trn.mem<psum>>
    %true = arith.constant true
    trn.matmul stationary(%w : memref<128x64xbf16, #trn.mem<sbuf>>)
               moving(%x : memref<128x512xbf16, #trn.mem<sbuf>>)
               into %y : memref<64x512xf32, #trn.mem<psum>> accumulate(%true)
    ```

    Rules:
    - `matmul_c1`: `stationary` and `moving` have the same number of partitions
    - `matmul_c2`: they have at most 128 partitions
    - `matmul_c3`: the free size of `stationary` is at most 128
    - `matmul_c4`: the free size of `moving` is at most 512
    - `matmul_c5`: `dst` is as large as the product: partitions and free size
    - `matmul_c6`: f32 is multiplied by f32 only
  }];
  let arguments = (ins
    Trn_ProductTile:$stationary,
    Trn_ProductTile:$moving,
    Trn_PsumTile:$dst,
    Optional<I1>:$accumulate);
  let assemblyFormat = [{
    `stationary` `(` $stationary `:` type($stationary) `)`
    `moving` `(` $moving `:` type($moving) `)`
    `into` $dst `:` type($dst) (`accumulate` `(` $accumulate^ `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_TransposeOp : Trn_EngineChoiceOp<"transpose", ["verifyOn"]> {
  let summary = "swap the partition and the free dimension of a tile";
  let description = [{
    Computes `dst[j, i] = src[i, j]`. The tensor engine multiplies by the
    identity: from SBUF to PSUM, up to a full tile; the vector engine transposes
    small blocks in place of a copy. The free dimensions of `src` count as one:
    2 x 64 of them become 128 partitions.

    ```mlir
    %x = trn.alloc : memref<128x64xbf16, #trn.mem<sbuf>>
    %t = trn.alloc : memref<64x128xf32, #trn.mem<psum>>
    trn.transpose %x into %t : memref<128x64xbf16, #trn.mem<sbuf>> to memref<64x128xf32, #trn.mem<psum>> on tensor
    ```

    Rules:
    - `transpose_c1`: `dst` is as large as `src` transposed
    - `transpose_c2`: both have at most 128 partitions
    - `transpose_c3`: the vector engine takes tiles of at most 32 x 32
    - `transpose_c4`: the tensor engine reads SBUF and writes PSUM
    - `transpose_c5`: the tensor engine leaves f32 or the type of `src`
    - `transpose_m1`: the tensor engine leaves 2-byte types only on some machines
  }];
  let arguments = (ins
    Trn_FloatTile:$src,
    Trn_MatrixTile:$dst,
    OptionalProp<Trn_ComputeEngineProp>:$assigned_engine);
  let assemblyFormat = [{
    $src `into` $dst `:` type($src) `to` type($dst) (`on` $assigned_engine^)? attr-dict
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$src, "::mlir::Value":$dst), [{
    build($_builder, $_state, src, dst, /*assigned_engine=*/::std::nullopt);
  }]>];
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNTENSORENGINEOPS
