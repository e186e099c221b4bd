//===- TrnPartitionOps.td - Partitions as a whole ----------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNPARTITIONOPS
#define TRN_DIALECT_TRN_IR_TRNPARTITIONOPS

include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

// Of one tile, another one.
class Trn_PartitionOp<string mnemonic> : Trn_InstructionOp<mnemonic> {
  let arguments = (ins Trn_Tile:$src, Trn_Tile:$dst);
  let assemblyFormat = [{
    $src `into` $dst `:` type($src) `to` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_BnStatsOp : Trn_PartitionOp<"bn_stats"> {
  let summary = "statistics of each partition on the vector engine";
  let description = [{
    Leaves six values for each partition: the count of its elements of even index
    in row-major order, their mean, and the sum of their squared distances from it;
    then the same for the elements of odd index. `trn.bn_aggr` makes mean and
    variance of them. Sums are rounded to f32 once, at their end.

    ```mlir
    %x = trn.alloc : memref<128x256xf32, #trn.mem<sbuf>>
    %stats = trn.alloc : memref<128x6xf32, #trn.mem<sbuf>>
    trn.bn_stats %x into %stats : memref<128x256xf32, #trn.mem<sbuf>> to memref<128x6xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `bn_stats_c1`: `dst` holds 6 values for each partition of `src`
    - `bn_stats_c2`: they have at most 128 partitions
    - `bn_stats_c3`: the free size of `src` is at most 512
  }];
}

def Trn_BnAggrOp : Trn_PartitionOp<"bn_aggr"> {
  let summary = "mean and variance of statistics on the vector engine";
  let description = [{
    Combines the triples of each partition into one mean and variance. A triple is a
    count, a mean, and the sum of squared distances from it, as from `trn.bn_stats`.
    Sums are rounded to f32 once, at their end.

    ```mlir
    %stats = trn.alloc : memref<128x12xf32, #trn.mem<sbuf>>
    %moments = trn.alloc : memref<128x2xf32, #trn.mem<sbuf>>
    trn.bn_aggr %stats into %moments : memref<128x12xf32, #trn.mem<sbuf>> to memref<128x2xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `bn_aggr_c1`: `dst` holds 2 values for each partition of `src`
    - `bn_aggr_c2`: they have at most 128 partitions
    - `bn_aggr_c3`: the free size of `src` is a multiple of 3
  }];
}

def Trn_Max8Op : Trn_PartitionOp<"max8"> {
  let summary = "the eight largest values of each partition on the vector engine";
  let description = [{
    Leaves the eight largest values of each partition, from the largest on. A NaN
    is larger than any number.

    ```mlir
    %x = trn.alloc : memref<128x256xf32, #trn.mem<sbuf>>
    %top = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    trn.max8 %x into %top : memref<128x256xf32, #trn.mem<sbuf>> to memref<128x8xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `max8_c1`: `dst` holds 8 values for each partition of `src`
    - `max8_c2`: they have at most 128 partitions
    - `max8_c3`: the free size of `src` is 8 to 16384
  }];
}

def Trn_FindIndex8Op : Trn_InstructionOp<"find_index8"> {
  let summary = "places of eight values in each partition, on the vector engine";
  let description = [{
    Leaves, for each of the eight `values` of a partition, the index of the first
    element of `data` that is equal to it, in row-major order. Equal values
    find successive elements. The index of a missing value is 4294967295, which f32
    rounds to 4294967296.

    ```mlir
    %x = trn.alloc : memref<128x256xf32, #trn.mem<sbuf>>
    %top = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    %places = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    trn.find_index8 data(%x : memref<128x256xf32, #trn.mem<sbuf>>)
        values(%top : memref<128x8xf32, #trn.mem<sbuf>>)
        into %places : memref<128x8xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `find_index8_c1`: `values` and `dst` hold 8 values for each partition of
      `data`
    - `find_index8_c2`: they have at most 128 partitions
    - `find_index8_c3`: the free size of `data` is 8 to 16384
    - `find_index8_c4`: `dst` is f32 or ui32, which hold every index
  }];
  let arguments = (ins Trn_Tile:$data, Trn_Tile:$values, Trn_Tile:$dst);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `values` `(` $values `:` type($values) `)`
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_MatchReplace8Op : Trn_InstructionOp<"match_replace8"> {
  let summary = "replace eight values of each partition on the vector engine";
  let description = [{
    Copies `data`, but replaces the first element, in row-major order, that is equal
    to each of the eight `values` of a partition by `replacement`. Goes from the last
    value to the first; equal values replace successive elements. `indices` receives
    their places, as from `trn.find_index8`.

    ```mlir
    %x = trn.alloc : memref<128x256xf32, #trn.mem<sbuf>>
    %top = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    trn.match_replace8 data(%x : memref<128x256xf32, #trn.mem<sbuf>>)
        values(%top : memref<128x8xf32, #trn.mem<sbuf>>) replacement -3.0e38
        into %x : memref<128x256xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `match_replace8_c1`: `data` and `dst` have the same shape
    - `match_replace8_c2`: they have at most 128 partitions
    - `match_replace8_c3`: the free size of `data` is at most 16384
    - `match_replace8_c4`: `values` and `indices` hold 8 values for each partition
      of `data`
    - `match_replace8_c5`: `indices` are f32 or ui32, which hold every index
  }];
  let arguments = (ins
    Trn_Tile:$data,
    Trn_Tile:$values,
    Trn_Tile:$dst,
    Optional<Trn_Tile>:$indices,
    F32Attr:$replacement);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `values` `(` $values `:` type($values) `)`
    `replacement` $replacement (`indices` `(` $indices^ `:` type($indices) `)`)?
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned dst = getDstMutable().getOperandNumber();
      return {getOperation(), dst, getIndices() ? 2u : 1u};
    }
  }];
}

def Trn_PartitionGatherOp : Trn_InstructionOp<"partition_gather"> {
  let summary = "elements of each partition that indices choose, on GpSimd";
  let description = [{
    Computes `dst[p, j...] = data[p, indices[p, j...]]`, where an index counts the
    elements of a partition of `data` in row-major order.

    ```mlir
    %x = trn.alloc : memref<128x256xf32, #trn.mem<sbuf>>
    %places = trn.alloc : memref<128x8xui32, #trn.mem<sbuf>>
    %y = trn.alloc : memref<128x8xf32, #trn.mem<sbuf>>
    trn.partition_gather data(%x : memref<128x256xf32, #trn.mem<sbuf>>)
        indices(%places : memref<128x8xui32, #trn.mem<sbuf>>)
        into %y : memref<128x8xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `partition_gather_c1`: `indices` and `dst` have the same shape
    - `partition_gather_c2`: they have as many partitions as `data`, at most 128
    - `partition_gather_c3`: `data` and `dst` have the same element type
    - `partition_gather_c4`: all are in SBUF, and indices are ui32
  }];
  let arguments = (ins
    Trn_SbufTile:$data, Trn_PlacesTile:$indices, Trn_SbufTile:$dst);
  let assemblyFormat = [{
    `data` `(` $data `:` type($data) `)` `indices` `(` $indices `:` type($indices) `)`
    `into` $dst `:` type($dst) attr-dict
  }];
  let hasVerifier = 1;
}

def Trn_StreamShuffleOp : Trn_InstructionOp<"stream_shuffle", ["mayAccumulate"]> {
  let summary = "exchange partitions within quadrants on the vector engine";
  let description = [{
    Computes `dst[q * 32 + i, j...] = src[q * 32 + mask[i], j...]` for each quadrant
    q of 32 partitions. Where the mask is 255, `dst` stays as it is. `dst` may be
    `src`. `src` needs no more partitions than the mask takes: one that all of a
    quadrant get is enough.

    ```mlir
    %x = trn.alloc : memref<32x512xf32, #trn.mem<sbuf>>
    %y = trn.alloc : memref<32x512xf32, #trn.mem<sbuf>>
    trn.stream_shuffle %x into %y mask [1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14,
        17, 16, 19, 18, 21, 20, 23, 22, 25, 24, 27, 26, 29, 28, 31, 30]
        : memref<32x512xf32, #trn.mem<sbuf>> to memref<32x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `stream_shuffle_c1`: `src` and `dst` have the same free dimensions
    - `stream_shuffle_c2`: they have the same element type
    - `stream_shuffle_c3`: they have at most 128 partitions
    - `stream_shuffle_c4`: the mask has 32 numbers
    - `stream_shuffle_c5`: each is 255, or the number of a partition that `src`
      has in every quadrant of `dst`
  }];
  let arguments = (ins Trn_Tile:$src, Trn_Tile:$dst, DenseI32ArrayAttr:$mask);
  let assemblyFormat = [{
    $src `into` $dst `mask` $mask `:` type($src) `to` type($dst) attr-dict
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
    /// In the mask, for partitions that stay as they are.
    static constexpr int32_t unmodified = 255;
  }];
}

#endif // TRN_DIALECT_TRN_IR_TRNPARTITIONOPS
