//===- TrnBufferOps.td - Buffers on chip -------------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNBUFFEROPS
#define TRN_DIALECT_TRN_IR_TRNBUFFEROPS

include "mlir/IR/OpAsmInterface.td"
include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnConstraints.td"

def Trn_AllocOp : Trn_Op<"alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmResultNames"]>]> {
  let summary = "allocate a buffer on chip";
  let description = [{
    Dimension 0 of the buffer is the partition, the others are the free
    dimension of a partition. With `buffers n` the k-th execution of the op uses
    slot k mod n, which lets a transfer fill one slot while a compute engine
    reads another one.

    A *virtual* buffer has no address. A *placed* one has: in SBUF the byte
    `offset` of slot 0 in each partition (slot k follows k times the bytes of a
    partition further on), in PSUM the `bank` of slot 0 (slot k is in bank + k)
    and the byte `offset` in the bank. A PSUM tile that is larger than a bank
    takes n whole ones, and its slot k begins with bank + n k. Whether the
    buffers of a program fit is judged by `trn-verify-level`, once they are
    placed.

    ```mlir
    %virtual = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    %rotated = trn.alloc buffers 2 offset 4096 : memref<128x512xbf16, #trn.mem<sbuf>>
    %sums = trn.alloc buffers 8 bank 0 offset 0 : memref<128x512xf32, #trn.mem<psum>>
    ```

    Rules:
    - `alloc_c1`: only a buffer in PSUM has a bank
    - `alloc_c2`: a placed buffer in PSUM has both a bank and an offset
    - `alloc_c3`: the offset is a multiple of the element size
  }];
  let arguments = (ins
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$buffers,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$bank,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let results = (outs Trn_Buffer:$buffer);
  let assemblyFormat = [{
    (`buffers` $buffers^)? (`bank` $bank^)? (`offset` $offset^)? attr-dict `:` type($buffer)
  }];
  let builders = [OpBuilder<(ins "::mlir::MemRefType":$type), [{
    build($_builder, $_state, type, /*buffers=*/1, /*bank=*/nullptr, /*offset=*/nullptr);
  }]>];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Whether the buffer has an address.
    bool isPlaced() { return getOffset().has_value(); }
  }];
}

def Trn_DeallocOp : Trn_Op<"dealloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "end the life of a buffer on chip";
  let description = [{
    The buffer is not used after this op, and its place may serve another one.

    ```mlir
    %tile = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
    trn.dealloc %tile : memref<128x512xbf16, #trn.mem<sbuf>>
    ```
  }];
  let arguments = (ins Trn_Buffer:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

#endif // TRN_DIALECT_TRN_IR_TRNBUFFEROPS
