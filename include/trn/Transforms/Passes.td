//===- Passes.td - From linalg to tiled kernels on tensors -*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TRANSFORMS_PASSES
#define TRN_TRANSFORMS_PASSES

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

def OutlineKernels : Pass<"trn-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "move matrix products and chains of them into kernels";
  let description = [{
    Finds `X*W` and `X*U*V` in linalg on tensors, moves each into a private
    function with the attribute `trn.kernel`, and leaves a call. The kernel
    takes plain memrefs (HBM), results last. The kernels of `@f` are numbered in
    source order: `@f_kernel`, `@f_kernel_2`, and so on. Everything else in the
    function stays as it is. A product that cannot become a kernel stays too,
    with a remark that says why.

    A product is a contraction of bf16, f16 or f32 whose body is one
    multiplication and one addition in the type of the result, of operands that
    are widened at most. The kernel accumulates in f32. It takes over a rounding
    to nearest even and a transposition that read the result; all other
    roundings stay where they are. Every kernel is compared with the code that
    it replaces: on each path from an input to the result it must round to the
    same types in the same way, or the code stays. Only `allow-rounding` lets it
    round once more, which a remark says.

    With `output-layout=transposed` a public function returns the transpose of
    a product, if nothing in the module refers to the function; otherwise a
    remark says why its layout stays.

    Under the strategy `sequential` a chain becomes two kernels with the
    intermediate in HBM.
  }];
  let options = [
    Option<"strategy", "strategy", "::mlir::trn::StrategyRequest",
           /*default=*/"::mlir::trn::StrategyRequest::Auto",
           "how a chain X*U*V becomes kernels", "strategyValues()">,
    Option<"transpose", "transpose", "::mlir::trn::TransposeMode",
           /*default=*/"::mlir::trn::TransposeMode::Implicit",
           "how an intermediate gets its layout", "transposeValues()">,
    Option<"outputLayout", "output-layout", "::mlir::trn::OutputLayout",
           /*default=*/"::mlir::trn::OutputLayout::Standard",
           "what a function that returns a result returns", "layoutValues()">,
    Option<"allowRounding", "allow-rounding", "bool", /*default=*/"false",
           "keep an intermediate that is f32 in the source in the type of the "
           "weights">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ImplicitTranspose : Pass<"trn-implicit-transpose", "::mlir::func::FuncOp"> {
  let summary = "write every product as stationary^T * moving";
  let description = [{
    The tensor engine computes `stationary^T * moving`: both operands hold the
    contraction first. Rewrites the products of a kernel to `linalg.matmul` with
    the indexing maps `(k, m), (k, n) -> (m, n)`. The first product of a chain
    is computed as `U^T * X^T`, which is the transpose of `X * U` and the
    stationary operand that the second one needs, so no intermediate is ever
    transposed. Only an X that arrives as rows is transposed, by its own op.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ChooseBlocks : Pass<"trn-choose-blocks", "::mlir::func::FuncOp"> {
  let summary = "choose the block sizes of a kernel";
  let description = [{
    Plans the blocks of a kernel for the module's machine and records them in
    the kernel's `trn.schedule`. A size of 0 is chosen; any other is taken as it
    is, and it is an error if the blocks then cannot fit SBUF.
  }];
  let options = [
    Option<"blockM", "block-m", "int64_t", /*default=*/"0",
           "rows of a strip; 0 = choose">,
    Option<"blockK", "block-k", "int64_t", /*default=*/"0",
           "contraction of a block of the first product; 0 = choose">,
    Option<"blockR", "block-r", "int64_t", /*default=*/"0",
           "ranks of a block of the first factor; 0 = choose">,
    Option<"blockN", "block-n", "int64_t", /*default=*/"0",
           "columns of an output block; 0 = choose">
  ];
  let dependentDialects = ["::mlir::trn::TrnDialect"];
}

def TileStrips : Pass<"trn-tile-strips", "::mlir::func::FuncOp"> {
  let summary = "tile a kernel into row strips and fuse its stages into them";
  let description = [{
    Tiles the last stage by block-m rows and fuses all the others into the loop:
    the strip cache. Under `recompute` it tiles by block-m x block-n instead, so
    that each output block computes its own rows again. A contraction that is
    blocked gets a loop over its blocks, with partial sums in SBUF; a rank that
    does not fit is split into a resident and a spilled part.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileBlocks : Pass<"trn-tile-blocks", "::mlir::func::FuncOp"> {
  let summary = "tile each stage into the blocks that move between HBM and SBUF";
  let description = [{
    Tiles each stage of a strip and copies the operand blocks into SBUF outside
    the loops that reuse them; results leave SBUF by blocks too.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def TileEngines : Pass<"trn-tile-engines", "::mlir::func::FuncOp"> {
  let summary = "tile blocks into the tiles of the tensor engine";
  let description = [{
    Tiles each block by the tensor engine's own sizes (128 x 512, contraction
    128), with the accumulator of a tile in PSUM.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BufferizeKernels : Pass<"trn-bufferize-kernels", "::mlir::func::FuncOp"> {
  let summary = "bufferise kernels, keeping the memory spaces of their tensors";
  let description = [{
    Runs One-Shot Bufferize on the kernels only: what the tiling passes put on
    chip becomes memrefs in SBUF and PSUM, arguments stay in HBM.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::bufferization::BufferizationDialect",
                           "::mlir::memref::MemRefDialect",
                           "::mlir::linalg::LinalgDialect",
                           "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def OverlapStrips : Pass<"trn-overlap-strips", "::mlir::func::FuncOp"> {
  let summary = "load and transpose the next strip of X during the second stage";
  let description = [{
    Where the schedule says `prefetch_x`, X^T gets a buffer outside the loop over
    strips. It is filled for the first strip before the loop, and for each other
    one while the block columns of the strip before it are computed: a raw
    block of X after every few of them. The last strip, after which
    there is nothing to bring in, is peeled.

    Runs on buffers, before they have slots and addresses.
  }];
  let dependentDialects = ["::mlir::trn::TrnDialect",
                           "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect",
                           "::mlir::scf::SCFDialect"];
}

#endif // TRN_TRANSFORMS_PASSES
