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

// Between arrays in HBM. All cores come to it.
class Trn_CollectiveOp<string mnemonic, dag operands, dag own>
    : Trn_InstructionOp<mnemonic, ["verifyOn"]> {
  let arguments = !con(operands, own);
  let hasVerifier = 1;
}

defvar Trn_Cores = ConfinedAttr<I64Attr, [IntPositive]>;
defvar Trn_Groups = DefaultValuedOptionalAttr<DenseI64ArrayAttr, "{}">;

// What cores have is only moved.
class Trn_MovingOp<string mnemonic, dag own>
    : Trn_CollectiveOp<mnemonic, (ins Trn_HbmData:$src, Trn_HbmData:$dst), own>;

// Sums, unless another function is given.
class Trn_ReducingOp<string mnemonic, dag own>
    : Trn_CollectiveOp<mnemonic, (ins Trn_HbmArray:$src, Trn_HbmArray:$dst),
          !con(own, (ins Trn_Cores:$cores,
              DefaultValuedProp<Trn_ReduceFunctionProp,
                                "::mlir::trn::ReduceFunction::Add">:$function,
              Trn_Groups:$groups))>;

def Trn_AllReduceOp : Trn_ReducingOp<"all_reduce", (ins)> {
  let summary = "the sum of an array over all cores";
  let description = [{
    Computes `dst[i...] = sum over the cores of src[i...]`, on every core. All of
    them must come to it. Sums are made in f32, in the order of the cores, and
    rounded once. With `by` it is the `max`, the `min` or the product (`mul`)
    instead. A NaN stays NaN.

    With `groups` there are several groups of so many `cores`, each of which does
    this by itself: `groups` names all cores, group by group. So it is for all
    collectives but `trn.collective_permute`.

    ```mlir
    %part = memref.alloc() : memref<1x2048xbf16>
    %sum = memref.alloc() : memref<1x2048xbf16>
    %rows = memref.alloc() : memref<64xf32>
    %largest = memref.alloc() : memref<64xf32>
    trn.all_reduce %part to %sum cores 2 : memref<1x2048xbf16> to memref<1x2048xbf16>
    trn.all_reduce %rows to %largest by max cores 2 : memref<64xf32> to memref<64xf32>
    // Cores 0 and 2, 1 and 3.
    trn.all_reduce %rows to %largest cores 2 groups [0, 2, 1, 3] : memref<64xf32> to memref<64xf32>
    ```

    Rules:
    - `all_reduce_c1`: `src` and `dst` have the same shape
    - `collective_c1`: `src` and `dst` of a collective have the same element type
    - `collective_c3`: `groups` names each core once, and `cores` of them a group
    - `collective_m1`: the machine has costs of collectives
  }];
  let assemblyFormat = "$src `to` $dst (`by` $function^)? `cores` $cores (`groups` $groups^)? attr-dict `:` type($src) `to` type($dst)";
}

def Trn_AllGatherOp : Trn_MovingOp<"all_gather", (ins I64Attr:$dim, Trn_Cores:$cores, Trn_Groups:$groups)> {
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
  let assemblyFormat = "$src `to` $dst `dim` $dim `cores` $cores (`groups` $groups^)? attr-dict `:` type($src) `to` type($dst)";
}

def Trn_ReduceScatterOp : Trn_ReducingOp<"reduce_scatter", (ins I64Attr:$dim)> {
  let summary = "each core's piece of a sum over all cores";
  let description = [{
    The sum of `src` over all cores is split along dimension `dim` into a piece per
    core; `dst` becomes the core's own. Sums, and what is `by` another function, are
    as those of `trn.all_reduce`.

    ```mlir
    %parts = memref.alloc() : memref<64x256xbf16>
    %piece = memref.alloc() : memref<64x128xbf16>
    trn.reduce_scatter %parts to %piece dim 1 cores 2 : memref<64x256xbf16> to memref<64x128xbf16>
    ```

    Rules:
    - `reduce_scatter_c1`: `src` is as long as the `dst` of all cores in `dim`,
      which both have, and has the shape of `dst` otherwise
  }];
  let assemblyFormat = "$src `to` $dst `dim` $dim (`by` $function^)? `cores` $cores (`groups` $groups^)? attr-dict `:` type($src) `to` type($dst)";
}

def Trn_AllToAllOp : Trn_MovingOp<"all_to_all",
    (ins I64Attr:$split_dim, I64Attr:$concat_dim, Trn_Cores:$cores,
         Trn_Groups:$groups)> {
  let summary = "a piece from every core for every other one";
  let description = [{
    Each core cuts its `src` along dimension `split` into a piece per core. `dst`
    becomes the core's own pieces of all of them, concatenated along dimension
    `concat` in the order of the cores.

    ```mlir
    %tokens = memref.alloc() : memref<64x256xbf16>
    %heads = memref.alloc() : memref<128x128xbf16>
    trn.all_to_all %tokens to %heads split 1 concat 0 cores 2 : memref<64x256xbf16> to memref<128x128xbf16>
    ```

    Rules:
    - `all_to_all_c1`: `dst` has the shape of `src`, of which the cores divide the
      extent of `split`, and then multiply that of `concat`
  }];
  let assemblyFormat = [{
    $src `to` $dst `split` $split_dim `concat` $concat_dim `cores` $cores (`groups` $groups^)? attr-dict
    `:` type($src) `to` type($dst)
  }];
}

def Trn_CollectivePermuteOp
    : Trn_MovingOp<"collective_permute", (ins DenseI64ArrayAttr:$sources)> {
  let summary = "the array of another core";
  let description = [{
    On core `i`, `dst` becomes the `src` of core `from[i]`, or zeros if that is -1.
    Cores pass it on in a ring by `[3, 0, 1, 2]`, along a pipeline by `[-1, 0, 1, 2]`,
    and all get that of the first one by `[0, 0, 0, 0]`.

    ```mlir
    %keys = memref.alloc() : memref<64x128xbf16>
    %next = memref.alloc() : memref<64x128xbf16>
    trn.collective_permute %keys to %next from [1, 0] : memref<64x128xbf16> to memref<64x128xbf16>
    ```

    Rules:
    - `collective_permute_c1`: `src` and `dst` have the same shape
    - `collective_permute_c2`: `from` has a core, or -1, for each of the cores
  }];
  let assemblyFormat = "$src `to` $dst `from` $sources attr-dict `:` type($src) `to` type($dst)";
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
