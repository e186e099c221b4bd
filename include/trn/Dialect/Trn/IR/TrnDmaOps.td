//===- TrnDmaOps.td - Transfers by the DMA engines ---------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNDMAOPS
#define TRN_DIALECT_TRN_IR_TRNDMAOPS

include "trn/Dialect/Trn/IR/TrnConstraints.td"
include "trn/Dialect/Trn/IR/TrnBase.td"

def Trn_DmaCopyOp : Trn_InstructionOp<"dma_copy"> {
  let summary = "copy between hbm and sbuf";
  let description = [{
    Computes `dst[i...] = src[i...]`, converted to the element type of `dst`,
    between any two of HBM and SBUF. Both sides may be strided views. All DMA
    engines take part in one copy.

    ```mlir
    %x = memref.alloc() : memref<128x512xbf16>
    %tile = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.dma_copy %x to %tile : memref<128x512xbf16> to memref<128x512xbf16, #trn.mem<sbuf>>
    ```

    Rules:
    - `dma_copy_c1`: `src` and `dst` have the same shape
  }];
  let arguments = (ins Trn_DmaView:$src, Trn_DmaView:$dst);
  let assemblyFormat = "$src `to` $dst attr-dict `:` type($src) `to` type($dst)";
  let hasVerifier = 1;
  let hasCanonicalizeMethod = 1;
}

def Trn_DmaTransposeOp : Trn_InstructionOp<"dma_transpose", ["verifyOn"]> {
  let summary = "copy between hbm and sbuf, swapping rows and columns";
  let description = [{
    Computes `dst[j, i] = src[i, j]` on the DMA engines of the machines that can
    (trn2), for types of two bytes.

    ```mlir
    %x = memref.alloc() : memref<64x128xbf16>
    %tile = trn.alloc : memref<128x64xbf16, #trn.mem<sbuf>>
    trn.dma_transpose %x to %tile : memref<64x128xbf16> to memref<128x64xbf16, #trn.mem<sbuf>>
    ```

    Rules:
    - `dma_transpose_c1`: `dst` has the transposed shape of `src`
    - `dma_transpose_c2`: `src` and `dst` have the same element type
    - `dma_transpose_c3`: elements have 2 bytes
    - `dma_transpose_m1`: the DMA engines of the machine can transpose
  }];
  let arguments = (ins Trn_DmaTile:$src, Trn_DmaTile:$dst);
  let assemblyFormat = "$src `to` $dst attr-dict `:` type($src) `to` type($dst)";
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNDMAOPS
