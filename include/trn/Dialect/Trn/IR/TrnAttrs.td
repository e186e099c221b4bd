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
include "mlir/IR/EnumAttr.td"
include "trn/Dialect/Trn/IR/TrnBase.td"

def Trn_MemorySpaceHbm : I32EnumCase<"Hbm", 0, "hbm">;
def Trn_MemorySpaceSbuf : I32EnumCase<"Sbuf", 1, "sbuf">;
def Trn_MemorySpacePsum : I32EnumCase<"Psum", 2, "psum">;
def Trn_MemorySpace : I32Enum<"MemorySpace", "a memory of a NeuronCore",
    [Trn_MemorySpaceHbm, Trn_MemorySpaceSbuf, Trn_MemorySpacePsum]> {
  let cppNamespace = "::mlir::trn";
}

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

#endif // TRN_DIALECT_TRN_IR_TRNATTRS
