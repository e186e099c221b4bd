//===- TrnBufferOps.td - Buffers on chip -------------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNBUFFEROPS
#define TRN_DIALECT_TRN_IR_TRNBUFFEROPS

include "mlir/Interfaces/SideEffectInterfaces.td"
include "trn/Dialect/Trn/IR/TrnAttrs.td"

def Trn_AllocOp : Trn_Op<"alloc", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "allocate a buffer on chip";
  let arguments = (ins
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$buffers,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$bank,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$offset);
  let results = (outs AnyMemRef:$buffer);
  let assemblyFormat = [{
    (`buffers` $buffers^)? (`bank` $bank^)? (`offset` $offset^)? attr-dict `:` type($buffer)
  }];
}

def Trn_DeallocOp : Trn_Op<"dealloc"> {
  let summary = "end the life of a buffer on chip";
  let arguments = (ins Arg<AnyMemRef, "the buffer", [MemFree]>:$buffer);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer)";
}

#endif // TRN_DIALECT_TRN_IR_TRNBUFFEROPS
