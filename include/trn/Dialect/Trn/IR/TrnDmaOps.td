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

// An op that moves a row for each partition of a tile.
class Trn_RowsOp<string mnemonic> : Trn_InstructionOp<mnemonic, ["mayAccumulate"]> {
  let hasVerifier = 1;
}

def Trn_DmaGatherOp : Trn_RowsOp<"dma_gather"> {
  let summary = "load the rows of hbm that a tile chooses";
  let description = [{
    Computes `dst[p, j...] = src[indices[p], j...]`, converted to the element type
    of `dst`: each partition gets the row that its index chooses. An index that is
    negative, or not below the rows of `src`, is an error of the run; with `skip`
    the partition stays as it is instead. Where `src` has a dimension more than
    `dst`, there is one index for all of it: `dst[p, j...] = src[index, p, j...]`. Then
    `dst` may be in HBM, too.

    There is a descriptor for each contiguous piece of a row, which GpSimd makes
    while the kernel runs (DGE:76-92). So its time is that of generated descriptors,
    on a machine whose other ones are static, too. What GpSimd takes for one is not
    published, and does not count.

    ```mlir
    %table = memref.alloc() : memref<50257x512xbf16>
    %tokens = trn.alloc : memref<128x1xi32, #trn.mem<sbuf>>
    %tile = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.dma_gather %table[%tokens] to %tile
        : memref<50257x512xbf16>[memref<128x1xi32, #trn.mem<sbuf>>]
        to memref<128x512xbf16, #trn.mem<sbuf>>
    %experts = memref.alloc() : memref<8x128x512xbf16>
    %expert = trn.alloc : memref<1x1xi32, #trn.mem<sbuf>>
    trn.dma_gather %experts[%expert] to %tile
        : memref<8x128x512xbf16>[memref<1x1xi32, #trn.mem<sbuf>>]
        to memref<128x512xbf16, #trn.mem<sbuf>>
    ```

    Rules:
    - `dma_gather_c1`: rows of `src` have the free dimensions of `dst`, or all of
      them
    - `dma_gather_c2`: `indices` holds one index for each partition of `dst`, or one
    - `dma_gather_c3`: `dst` has at most 128 partitions
    - `dma_gather_c4`: `dst` is in SBUF, or one index chooses all of it
  }];
  let arguments = (ins Trn_HbmRows:$src, Trn_IndexColumn:$indices,
                       Trn_DmaView:$dst, UnitAttr:$skip);
  let assemblyFormat = [{
    $src `[` $indices `]` `to` $dst (`skip` $skip^)?
    `:` type($src) `[` type($indices) `]` `to` type($dst) attr-dict
  }];
}

def Trn_DmaScatterOp : Trn_RowsOp<"dma_scatter"> {
  let summary = "store the partitions of a tile to rows of hbm that another one chooses";
  let description = [{
    Computes `dst[indices[p], j...] = src[p, j...]`, converted to the element type
    of `dst`; other rows stay as they are. An index is in range, or skipped, as that
    of a `trn.dma_gather`. The DMA engines write at the same time, so that no
    element may be written twice: no two indices are equal, which a run holds. Where
    `dst` has a dimension more than `src`, there is one index for all of it, and `src`
    may be in HBM, too.

    ```mlir
    %tile = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %places = trn.alloc : memref<128x1xui32, #trn.mem<sbuf>>
    %cache = memref.alloc() : memref<4096x512xf32>
    trn.dma_scatter %tile to %cache[%places] skip
        : memref<128x512xf32, #trn.mem<sbuf>>
        to memref<4096x512xf32>[memref<128x1xui32, #trn.mem<sbuf>>]
    ```

    Rules:
    - `dma_scatter_c1`: rows of `dst` have the free dimensions of `src`, or all of
      them
    - `dma_scatter_c2`: `indices` holds one index for each partition of `src`, or one
    - `dma_scatter_c3`: `src` has at most 128 partitions
    - `dma_scatter_c4`: `src` is in SBUF, or one index chooses where all of it goes
  }];
  let arguments = (ins Trn_DmaView:$src, Trn_IndexColumn:$indices,
                       Trn_HbmRows:$dst, UnitAttr:$skip);
  let assemblyFormat = [{
    $src `to` $dst `[` $indices `]` (`skip` $skip^)?
    `:` type($src) `to` type($dst) `[` type($indices) `]` attr-dict
  }];
}

#endif // TRN_DIALECT_TRN_IR_TRNDMAOPS
