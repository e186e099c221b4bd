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
