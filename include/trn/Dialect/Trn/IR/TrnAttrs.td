//===- TrnAttrs.td - Attributes of the trn dialect ---------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNATTRS
#define TRN_DIALECT_TRN_IR_TRNATTRS

include "mlir/IR/AttrTypeBase.td"
include "trn/Dialect/Trn/IR/TrnBase.td"
include "trn/Dialect/Trn/IR/TrnEnums.td"

def Trn_MemoryAttr : EnumAttr<Trn_Dialect, Trn_MemorySpace, "mem"> {
  let summary = "the memory that a memref lives in";
  let description = [{
    Used as the memory space of a memref: `sbuf` and `psum` are on chip, with
    the partition as dimension 0. A memref without a memory space lives in HBM;
    `hbm` is written out only for scratch buffers inside a kernel.

    ```mlir
    %tile = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
    ```
  }];
  let assemblyFormat = "`<` $value `>`";
}

def Trn_MachineAttr : AttrDef<Trn_Dialect, "Machine"> {
  let mnemonic = "machine";
  let summary = "the machine that a module is compiled for";
  let description = [{
    Names a known machine, and may override single fields of it by their names
    in the machine description. It stands on the module as `trn.machine`; a
    module without it is for trn1.

    ```mlir
    module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 393216 : i64}>} {
    }
    ```
  }];
  let parameters = (ins
    StringRefParameter<"name of a known machine">:$name,
    OptionalParameter<"::mlir::DictionaryAttr", "fields that differ">:$overrides);
  let assemblyFormat = "`<` $name (`,` $overrides^)? `>`";
  let genVerifyDecl = 1;
}

def Trn_GraphParameter
    : AttrParameter<"::mlir::trn::planning::Graph", "its computation",
                    "const ::mlir::trn::planning::Graph &"> {
  // The names are printed.
  let comparator = "::mlir::trn::planning::areIdentical($_lhs, $_rhs)";
}

def Trn_PlanParameter
    : AttrParameter<"::std::optional<::mlir::trn::planning::Plan>",
                    "its loops and buffers",
                    "const ::std::optional<::mlir::trn::planning::Plan> &">;

def Trn_ScheduleAttr : AttrDef<Trn_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "the computation of a kernel and the plan of its loops";
  let description = [{
    A graph of stages, and the plan of its loops once it is chosen. Users may
    read it, edit it and compile with it; [Planning](../Planning.md) explains it.

    ```mlir
    func.func private @kernel(memref<4096x7168xbf16>, memref<7168x18432xbf16>,
                              memref<4096x18432xbf16> {trn.result})
        attributes {trn.kernel, trn.schedule = #trn.schedule<
          dims = [m = 4096, k = 7168, n = 18432],
          matrices = [x : m x k bf16 input, xt : k x m bf16,
                      w : k x n bf16 input, o : m x n bf16 result],
          stages = [xt = transpose x, o = xt * w over k],
          nests = [xt (m = 512, k = 1024), o (m = 512, n = 512)],
          homes = [x at k slots 2, xt at m slots 2 ahead 1, w at n slots 2,
                   o at n slots 2 sums at n in psum]>}
    ```

    - *dims*: `ra = 3072 of r` and `rb = 1024 of r from 3072` are parts of `r`.
      `h = 32 groups of n` are 32 heads of columns `n`.
    - *matrices*: rows (on the partitions, if on chip) and columns, the type, and
      `input` or `result` for arguments of the kernel. Inputs come first, results
      last, in this order.
      `q : (b, m) x (h, k)` is one matrix for each index of the *batch dims* `b`
      and `h`, all in one memref of b x m x h x k. The loops run for each of these.
      `u : k x n bf16 input in 512 x 2048 from (0, 1024)` is a part of its
      argument, which has 512 x 2048 elements. `c : m x n bf16 input band none to 0
      of inf` is a mask with a known [band](#bandattr). A `constant` is made on
      chip: `e : k x one bf16 constant 1.0` has one value, and `c : m x n bf16
      constant band none to 0 of zero` is a mask.
    - *stages*: transpositions and sums of products, `o = ya * va over ra + yb * vb
      over rb`. The contraction is the first dim of each operand. A stage may also
      apply functions to sums (in brackets), matrices and constants: `o =
      mul(silu(add([xt * g over k], b)), [xt * u over k])`. A dim of size 1 is
      broadcast. Functions are those of the instructions, in f32; `bf16(...)` rounds
      a value, and the result is rounded to its type. A sum may have one column, as
      the second one of `o = div([p * v over n], [p * e over n])`. A reduction has
      one column: `a = max x over n`, `l = sum exp(sub(x, a)) over n`, `a = max [x *
      w over k] over n`. If its columns are groups of what it reduces, there is one
      for each group, which `y = mul(x, l)` reads for all columns of that.
    - *nests*: the blocks of the loops around each stage, outermost first, named
      by its result. `o (m = 2048, n = 512, m = 512)` has two loops over `m`.
      With `s (m = 128) on scalar`, ScalarE does the work that VectorE could do,
      too: copies, and arithmetic with constants and columns. `on vector` is the
      reverse. With `s (m = 128) banks 2`, a tile of its sums takes two banks of
      PSUM side by side, and one instruction reads both.
    - *homes*: buffers on chip. `at` names the innermost loop around one: `kernel`
      if there is none, `m` for the first loop over `m`, `m.1` for the second one.
      `slots` are rotating copies. `ahead 1` is software pipelining: the home is
      filled one iteration of that loop ahead, beside the nests that read the
      current data, `in 4` pieces or as many as fit. At `kernel` it is filled beside
      the nests before its readers.
      `packed` has columns side by side: all partitions take part in loading few
      rows. `whole` has the columns of all batches: rows are whole, as in HBM.
      `apart` has each row on a partition of its own, where partitions could take
      neighbours.
      `sums at` is the place of partial sums between iterations of outer loops, in
      `psum` or in `sbuf` with a type. A home serves all nests that use its matrix,
      or those after `for`, as in `yt at m for yt and o`.
    - *interleaved*: dims with neighbouring indices on each partition.
    - *jam*: the number of indices of the innermost batch dim that are computed at
      once; their instructions take turns. `jam = 4 staggered 2`: each
      starts when half of the one before is done. With `staggered 2 scheduled`, what
      engines can start first comes first. If the dim has four indices, `jam = 8
      staggered 2` is all four of two indices of the batch dim around it.
      `jam = 4 stacking m`: four batches share buffers. The few indices of `m` of
      each have 32 partitions of their own, or 32 columns, and one instruction
      computes all four. `jam = 8 stacking m` has two such stacks.

    Rules, beside those of graphs (`graph_c1` and on) and plans (`plan_c1`; the
    others hold for a kernel and its machine):
    - `schedule_c1`: dims and matrices have names that are words without a dot,
      each one its own, and no dim is called `kernel`
  }];
  let parameters = (ins Trn_GraphParameter:$graph, Trn_PlanParameter:$plan);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Trn_BandParameter
    : AttrParameter<"::mlir::trn::planning::Band", "its diagonals",
                    "const ::mlir::trn::planning::Band &">;

def Trn_BandAttr : AttrDef<Trn_Dialect, "Band"> {
  let mnemonic = "band";
  let summary = "the unmasked diagonals of a mask";
  let description = [{
    As `trn.band` on an argument of a kernel it is a promise. Elements (row, column)
    whose diagonal, `column - row`, is in the range are zero, or infinity. All
    others are minus infinity, or so low that their exponentials are zero. With
    `every 512` the mask repeats after as many rows. Plans skip hidden elements.

    ```mlir
    func.func private @kernel(memref<512x512xbf16> {trn.band = #trn.band<none to 0 of inf>},
                              memref<512x64xbf16> {trn.result}) attributes {trn.kernel}
    ```
  }];
  let parameters = (ins Trn_BandParameter:$band);
  let hasCustomAssemblyFormat = 1;
}

def Trn_ShardAttr : AttrDef<Trn_Dialect, "Shard"> {
  let mnemonic = "shard";
  let summary = "the split of a tensor over the cores of a grid";
  let description = [{
    As `trn.shard` on an argument or a result of a function it gives each core a
    piece of the tensor. Dimension `dim`, with `size` elements in the whole tensor,
    is split into `pieces` runs of `ceil(size / pieces)`; zeros pad the last ones.
    Of P cores, core c has piece `c * pieces / P`, so `pieces` divides P.

    The type is that of a piece. Before `trn-partition` it may be that of the whole
    tensor: then the attribute requests this split.

    ```mlir
    func.func private @head(tensor<1x64xbf16>,
                            tensor<16000x64xbf16> {trn.param = "lm_head.weight",
                                trn.shard = #trn.shard<dim = 0, pieces = 2, size = 32000>})
    ```

    Rules:
    - `shard_c1`: `dim` is not negative, `pieces` and `size` are at least 1
  }];
  let parameters = (ins "int64_t":$dim, "int64_t":$pieces, "int64_t":$size);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The extent of `dim` in a piece: ceil(size / pieces).
    int64_t getExtent() const {
      return getSize() / getPieces() + (getSize() % getPieces() != 0);
    }
    /// The piece of core `core` of `cores`.
    int64_t getPiece(int64_t core, int64_t cores) const {
      return core * getPieces() / cores;
    }
  }];
}

def Trn_ComputeEngineAttr : EnumAttr<Trn_Dialect, Trn_ComputeEngine, "engine"> {
  let summary = "the engine that an instruction is assigned to";
}

def Trn_ActivationFunctionAttr
    : EnumAttr<Trn_Dialect, Trn_ActivationFunction, "activation"> {
  let summary = "the function of an activation";
}

def Trn_BinaryFunctionAttr : EnumAttr<Trn_Dialect, Trn_BinaryFunction, "binary"> {
  let summary = "the function of an elementwise instruction with two inputs";
}

def Trn_ReduceFunctionAttr : EnumAttr<Trn_Dialect, Trn_ReduceFunction, "reduce"> {
  let summary = "the function of a reduction";
}

// Ops hold the plain enums; the attributes are what the generic form shows.
def Trn_ActivationFunctionProp
    : EnumPropWithAttrForm<Trn_ActivationFunction, Trn_ActivationFunctionAttr> {
  let storeInCustomAttribute = 1;
}
def Trn_BinaryFunctionProp
    : EnumPropWithAttrForm<Trn_BinaryFunction, Trn_BinaryFunctionAttr> {
  let storeInCustomAttribute = 1;
}
def Trn_ReduceFunctionProp
    : EnumPropWithAttrForm<Trn_ReduceFunction, Trn_ReduceFunctionAttr> {
  let storeInCustomAttribute = 1;
}
def Trn_ComputeEngineProp
    : EnumPropWithAttrForm<Trn_ComputeEngine, Trn_ComputeEngineAttr> {
  let storeInCustomAttribute = 1;
}

#endif // TRN_DIALECT_TRN_IR_TRNATTRS
