//===- TrnConstraints.td - Types of operands ---------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNCONSTRAINTS
#define TRN_DIALECT_TRN_IR_TRNCONSTRAINTS

include "mlir/IR/OpBase.td"
include "mlir/IR/CommonTypeConstraints.td"

// The sentence of each constraint is the error that a user reads.
// - `buffer_c1`: a buffer on chip is contiguous, static and not empty, of 2 to 5
//   dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN
// - `tile_c1`: what an engine accesses is a static view of a buffer on chip
// - `tile_c2`: the tensor engine multiplies tiles in SBUF
// - `tile_c3`: the tensor engine leaves sums of f32 in PSUM
// - `transfer_c1`: the DMA reaches HBM and SBUF, not PSUM (MIG:419-428)

// - `indices_c1`: rows are chosen by integers, one for each partition, in SBUF

def Trn_Float : AnyTypeOf<[BF16, F16, F32]>;
def Trn_Index : AnyTypeOf<[I32, UI32]>;
def Trn_Number
    : AnyTypeOf<[BF16, F16, F32, I32, UI32, I8, F8E4M3, F8E4M3FN]>;

class Trn_InSpace<string condition>
    : CPred<"[](::std::optional<::mlir::trn::MemorySpace> space) { return "
            # condition # "; }(::mlir::trn::getMemorySpace($_self))">;
def Trn_InSbuf : Trn_InSpace<"space == ::mlir::trn::MemorySpace::Sbuf">;
def Trn_InPsum : Trn_InSpace<"space == ::mlir::trn::MemorySpace::Psum">;
def Trn_InHbm : Trn_InSpace<"space == ::mlir::trn::MemorySpace::Hbm">;
def Trn_OnChip : Or<[Trn_InSbuf, Trn_InPsum]>;
def Trn_OffPsum : Trn_InSpace<"space == ::mlir::trn::MemorySpace::Hbm || space == ::mlir::trn::MemorySpace::Sbuf">;

// Static shape, no empty dimension, static strides (the offset may vary).
def Trn_StaticView : CPred<"::mlir::trn::isStaticView($_self)">;
def Trn_Identity
    : CPred<"::llvm::cast<::mlir::MemRefType>($_self).getLayout().isIdentity()">;

class Trn_MemRefOf<Type element, list<int> ranks, list<Pred> preds, string summary>
    : ConfinedType<MemRefRankOf<[element], ranks>, preds, summary,
                   "::mlir::MemRefType">;
class Trn_MemRef<list<int> ranks, list<Pred> preds, string summary>
    : Trn_MemRefOf<Trn_Number, ranks, preds,
                   summary # " of bf16, f16, f32, i32, ui32, i8, f8E4M3 "
                                "or f8E4M3FN">;

// buffer_c1
def Trn_Buffer : Trn_MemRef<[2, 3, 4, 5], [Trn_StaticView, Trn_Identity, Trn_OnChip],
    "a contiguous static memref in sbuf or psum with 2 to 5 dimensions">;
// tile_c1
def Trn_Tile : Trn_MemRef<[2, 3, 4, 5], [Trn_StaticView, Trn_OnChip],
    "a static memref in sbuf or psum with 2 to 5 dimensions">;
// The tensor engine and transposes have neither integers nor types of 8 bits.
def Trn_MatrixTile : Trn_MemRefOf<Trn_Float, [2], [Trn_StaticView, Trn_OnChip],
    "a static 2-D tile in sbuf or psum of bf16, f16 or f32">;
def Trn_FloatTile : Trn_MemRefOf<Trn_Float, [2, 3, 4, 5], [Trn_StaticView, Trn_OnChip],
    "a static memref in sbuf or psum with 2 to 5 dimensions of bf16, f16 or f32">;
// transfer_c1
def Trn_DmaView : Trn_MemRef<[1, 2, 3, 4, 5], [Trn_StaticView, Trn_OffPsum],
    "a static memref in hbm or sbuf with 1 to 5 dimensions">;
def Trn_DmaTile : Trn_MemRefOf<Trn_Float, [2], [Trn_StaticView, Trn_OffPsum],
    "a static 2-D memref in hbm or sbuf of bf16, f16 or f32">;

def Trn_SbufTile : Trn_MemRef<[2, 3, 4, 5], [Trn_StaticView, Trn_InSbuf],
    "a static memref in sbuf with 2 to 5 dimensions">;
// Rows, and what chooses them.
def Trn_HbmRows : Trn_MemRef<[2, 3, 4, 5], [Trn_StaticView, Trn_InHbm],
    "a static memref in hbm with 2 to 5 dimensions">;
// indices_c1
def Trn_IndexColumn : Trn_MemRefOf<Trn_Index, [2, 3, 4, 5],
    [Trn_StaticView, Trn_InSbuf],
    "a static memref in sbuf with 2 to 5 dimensions of i32 or ui32">;

// partition_gather_c4
def Trn_PlacesTile : Trn_MemRefOf<UI32, [2, 3, 4, 5], [Trn_StaticView, Trn_InSbuf],
    "a static memref in sbuf with 2 to 5 dimensions of ui32">;

// - `collective_c2`: cores meet over arrays in HBM that have no gaps
def Trn_HbmArray : Trn_MemRefOf<Trn_Float, [1, 2, 3, 4, 5],
    [Trn_StaticView, Trn_Identity, Trn_InHbm],
    "a contiguous static memref in hbm with 1 to 5 dimensions of bf16, f16 or f32">;
// What is only moved may have any type.
def Trn_HbmData : Trn_MemRef<[1, 2, 3, 4, 5],
    [Trn_StaticView, Trn_Identity, Trn_InHbm],
    "a contiguous static memref in hbm with 1 to 5 dimensions">;

// - `core_barrier_c1`: cores wait for what is in HBM
def Trn_HbmView : Trn_MemRef<[1, 2, 3, 4, 5], [Trn_StaticView, Trn_InHbm],
    "a static memref in hbm with 1 to 5 dimensions">;

// tile_c2
def Trn_ProductTile : Trn_MemRefOf<Trn_Float, [2, 3, 4, 5], [Trn_StaticView, Trn_InSbuf],
    "a static memref in sbuf with 2 to 5 dimensions of bf16, f16 or f32">;
// tile_c3
def Trn_PsumTile : ConfinedType<MemRefRankOf<[F32], [2, 3, 4, 5]>,
    [Trn_StaticView, Trn_InPsum],
    "a static memref in psum with 2 to 5 dimensions of f32", "::mlir::MemRefType">;

#endif // TRN_DIALECT_TRN_IR_TRNCONSTRAINTS
