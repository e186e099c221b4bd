//===- TrnCollectiveOps.td - Common steps of cores ---------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNCOLLECTIVEOPS
#define TRN_DIALECT_TRN_IR_TRNCOLLECTIVEOPS

include "trn/Dialect/Trn/IR/TrnConstraints.td"
include "trn/Dialect/Trn/IR/TrnBase.td"

// Between arrays in HBM. `dim` is the one that is cut into pieces.
class Trn_CollectiveOp<string mnemonic, dag own>
    : Trn_InstructionOp<mnemonic, ["verifyOn"]> {
  let arguments = !con((ins Trn_HbmArray:$src, Trn_HbmArray:$dst), own,
                       (ins ConfinedAttr<I64Attr, [IntPositive]>:$cores));
  let hasVerifier = 1;
}

def Trn_AllReduceOp : Trn_CollectiveOp<"all_reduce", (ins)> {
  let summary = "the sum of an array over all cores";
  let description = [{
    Computes `dst[i...] = sum over the cores of src[i...]`, on every core. All of
    them must come to it. Sums are made in f32, in the order of the cores, and
    rounded once.

    ```mlir
    %part = memref.alloc() : memref<1x2048xbf16>
    %sum = memref.alloc() : memref<1x2048xbf16>
    trn.all_reduce %part to %sum cores 2 : memref<1x2048xbf16> to memref<1x2048xbf16>
    ```

    Rules:
    - `all_reduce_c1`: `src` and `dst` have the same shape
    - `collective_c1`: `src` and `dst` of a collective have the same element type
    - `collective_m1`: the machine has costs of collectives
  }];
  let assemblyFormat = "$src `to` $dst `cores` $cores attr-dict `:` type($src) `to` type($dst)";
}

def Trn_AllGatherOp : Trn_CollectiveOp<"all_gather", (ins I64Attr:$dim)> {
  let summary = "the concatenated pieces of all cores";
  let description = [{
    `dst` becomes the `src` of all cores, concatenated along dimension `dim` in the
    order of the cores, on every core.

    ```mlir
    %piece = memref.alloc() : memref<64x128xbf16>
    %whole = memref.alloc() : memref<64x256xbf16>
    trn.all_gather %piece to %whole dim 1 cores 2 : memref<64x128xbf16> to memref<64x256xbf16>
    ```

    Rules:
    - `all_gather_c1`: `dst` is as long as the `src` of all cores in `dim`, which
      both have, and has the shape of `src` otherwise
  }];
  let assemblyFormat = "$src `to` $dst `dim` $dim `cores` $cores attr-dict `:` type($src) `to` type($dst)";
}

def Trn_ReduceScatterOp : Trn_CollectiveOp<"reduce_scatter", (ins I64Attr:$dim)> {
  let summary = "each core's piece of a sum over all cores";
  let description = [{
    The sum of `src` over all cores is split along dimension `dim` into a piece per
    core; `dst` becomes the core's own. Sums are as those of `trn.all_reduce`.

    ```mlir
    %parts = memref.alloc() : memref<64x256xbf16>
    %piece = memref.alloc() : memref<64x128xbf16>
    trn.reduce_scatter %parts to %piece dim 1 cores 2 : memref<64x256xbf16> to memref<64x128xbf16>
    ```

    Rules:
    - `reduce_scatter_c1`: `src` is as long as the `dst` of all cores in `dim`,
      which both have, and has the shape of `dst` otherwise
  }];
  let assemblyFormat = "$src `to` $dst `dim` $dim `cores` $cores attr-dict `:` type($src) `to` type($dst)";
}

// The two cores of a logical one, which share HBM (LNC).

def Trn_CoreBarrierOp : Trn_InstructionOp<"core_barrier", ["verifyOn", "mayAccumulate"]> {
  let summary = "wait for the other core of a logical one";
  let description = [{
    Waits until both cores come to it. After it, both see all that either wrote to
    `dst` before: it orders their accesses to `dst`, and nothing else. Accessing HBM
    that the other core writes, without a barrier in between, is an error of the run.

    ```mlir
    %sums = memref.alloc() {trn.shared = 0 : i64} : memref<2x128x512xf32>
    trn.core_barrier %sums : memref<2x128x512xf32>
    ```

    Rules:
    - `core_barrier_m1`: two cores of the machine share HBM
  }];
  let arguments = (ins Trn_HbmView:$dst);
  let assemblyFormat = "$dst attr-dict `:` type($dst)";
}

def Trn_SendReceiveOp : Trn_InstructionOp<"send_receive", ["verifyOn"]> {
  let summary = "exchange tiles with the other core of a logical one";
  let description = [{
    `dst` becomes the `src` of the other core, by DMA from SBUF to SBUF. Both cores
    come to it. Those with one `pipe` meet each other, in their order.

    ```mlir
    %own = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    %other = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
    trn.send_receive %own to %other pipe 0
        : memref<128x512xf32, #trn.mem<sbuf>> to memref<128x512xf32, #trn.mem<sbuf>>
    ```

    Rules:
    - `send_receive_c1`: `src` and `dst` have the same shape
    - `send_receive_c2`: they have the same element type
    - `send_receive_m1`: two cores of the machine share HBM
  }];
  let arguments = (ins Trn_SbufTile:$src, Trn_SbufTile:$dst,
                       ConfinedAttr<I64Attr, [IntNonNegative]>:$pipe);
  let assemblyFormat = "$src `to` $dst `pipe` $pipe attr-dict `:` type($src) `to` type($dst)";
  let hasVerifier = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNCOLLECTIVEOPS
