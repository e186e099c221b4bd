//===- Passes.td - From virtual to placed programs ---------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_TRANSFORMS_PASSES
#define TRN_DIALECT_TRN_TRANSFORMS_PASSES

include "mlir/Pass/PassBase.td"

def SetMachine : Pass<"trn-set-machine", "::mlir::ModuleOp"> {
  let summary = "state the machine that a module is compiled for";
  let description = [{
    Writes `trn.machine` on the module, replacing one that is there. The machine
    is a known one or a JSON file that overrides single constants of one.
  }];
  let options = [
    Option<"machine", "machine", "std::string", /*default=*/"\"trn1\"",
           "a known machine, or a JSON file">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

def FoldPartitions : Pass<"trn-fold-partitions", "::mlir::func::FuncOp"> {
  let summary = "fold rows beyond the partitions into the free dimension";
  let description = [{
    Bufferisation leaves on-chip buffers of any number of rows, but memory has
    128 partitions. A buffer of `R x C` with more rows becomes one of
    `128 x ceil(R/128) x C`: row `r` is row `r mod 128` of tile `r div 128`.

    Views of at most one tile stay views, now of one tile; their first row must
    be known to start a tile, or to lie at a constant distance from its start. A
    `trn.dma_copy` or `trn.memset` of more rows is split into one op for all full
    tiles and one for the rest:

    ```mlir
    %strip = trn.alloc : memref<300x64xbf16, #trn.mem<sbuf>>
    trn.dma_copy %x to %strip : memref<300x64xbf16> to memref<300x64xbf16, #trn.mem<sbuf>>
    ```

    becomes a copy of `[128, 2, 64]` (in HBM a view with strides `[64, 8192, 1]`)
    and one of the last 44 rows. Any other use of more rows is an error.
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::trn::TrnDialect"];
}

def MultiBuffer : Pass<"trn-multi-buffer", "::mlir::func::FuncOp"> {
  let summary = "give buffers in loops several slots that rotate";
  let description = [{
    With `buffers = n` an alloc in a loop uses slot `k mod n` the k-th time, so
    the next iteration can start before the previous one is through.

    SBUF buffers that a DMA fills or drains get two slots, so that transfers
    overlap with computing, as long as the kernel still fits: inner
    loops first, and among these small buffers. A buffer whose loop mostly
    computes without it keeps one slot; it only needs a place of its own. Buffers
    of a plan (`trn.matrix`) keep the plan's slots. PSUM
    buffers get as many banks as are free, in turn. No buffer gets more slots than
    executions; buffers with more than one slot keep theirs.
  }];
}

def AssignEngines : Pass<"trn-assign-engines", "::mlir::func::FuncOp"> {
  let summary = "choose the engine of each op that may run on several";
  let description = [{
    Elementwise ops run on their preferred engine (VectorE). Copies out of PSUM
    may also run on ScalarE, as `trn.activation copy`: in each loop body they go
    to the engine that finishes its work earlier, by the published costs. Where the two engines lock each other out of PSUM (trn1), spreading
    gains nothing, and all copies of a body go to the same engine.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

def PlaceBuffers : Pass<"trn-place-buffers", "::mlir::func::FuncOp"> {
  let summary = "give on-chip buffers their addresses";
  let description = [{
    Gives each SBUF buffer its byte offset in a partition and each PSUM buffer
    its bank, such that no two buffers that are live at the same time overlap.
    A buffer without `trn.dealloc` gets one after its last use. Buffers that have
    an address keep it. If the buffers do not fit, the error stands at the largest
    one that is live at the peak, with a memory map as notes.

    A buffer is live from its alloc to its dealloc; one with several slots is
    live during the whole loop around it. One that a DMA fills or drains keeps its
    place during the whole loop, too, if there is room, so that its transfers
    need not wait for others. Otherwise bytes are shared for short waits: the
    first load of a loop takes a slot that the previous loop releases early, and
    runs while that loop still computes.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

def VerifyLevel : Pass<"trn-verify-level", "::mlir::func::FuncOp"> {
  let summary = "check that functions obey the rules of their level";
  let description = [{
    Changes nothing; fails where a function breaks a rule of its level, with the
    rules of the module's machine (trn1 if it names none).

    Kernels, at every level:
    - `kernel_c1`: a kernel is private
    - `kernel_c2`: it returns nothing
    - `kernel_c3`: its arguments are static memrefs in HBM of bf16, f16 or f32
    - `kernel_c4`: arguments with `trn.result` come last
    - `kernel_c5`: its body is one block

    Host code, the functions without `trn.kernel`, at every level:
    - `host_c1`: it holds no `trn` op
    - `host_c2`: it holds no value in a memory of a NeuronCore

    `level=tensor`, after tiling:
    - `tensor_c1`: every shape is static
    - `tensor_c2`: there are tile ops on tensors, `scf.for`, and index arithmetic
      without minima, conditions and instructions

    `level=virtual`, after the conversion to `trn`:
    - `virtual_c1`: there are instructions, buffers, static views, `scf.for` and
      index arithmetic only
    - `virtual_c2`: loops run a constant number of times
    - `virtual_c3`: loops carry no values
    - `virtual_c4`: HBM scratch is a `memref.alloc` in `#trn.mem<hbm>`
    - `virtual_c5`: the step of a loop is at least 1
    - `virtual_c6`: a loop that compares as unsigned has no negative bounds
    - `virtual_c7`: a loop has fewer than 2^63 iterations
    - `virtual_c8`: `trn.stage` is what a stage of `trn.schedule` computes, if the
      kernel has a schedule
    - `virtual_c9`: `trn.matrix` is a matrix of it
    - rules of one machine, whose labels end in `_m1`, at their ops

    `level=placed`, after placement: all of `virtual`, and
    - `placed_c1`: every buffer has an address
    - `placed_c2`: it has at most as many partitions as the machine
    - `placed_c3`: it ends inside the usable SBUF
    - `placed_c4`: it ends inside the banks of PSUM
    - `placed_c5`: a PSUM tile is inside one bank, or begins at byte 0 and takes
      whole ones
    - `placed_c6`: buffers that are live together do not overlap
    - `placed_c7`: every instruction has an engine
    - `access_c1` to `access_c6`: engines reach what they access
    - `group_c1` to `group_c4`: matmuls accumulate on what a group has started,
      inside one bank
  }];
  let options = [
    Option<"level", "level", "::mlir::trn::Level", "::mlir::trn::Level::Placed",
           "the stage that the function has reached", [{::llvm::cl::values(
        clEnumValN(::mlir::trn::Level::Tensor, "tensor", "tiled loops of linalg on tensors"),
        clEnumValN(::mlir::trn::Level::Virtual, "virtual", "trn ops without addresses"),
        clEnumValN(::mlir::trn::Level::Placed, "placed", "a program that can run"))}]>,
  ];
}

#endif // TRN_DIALECT_TRN_TRANSFORMS_PASSES
