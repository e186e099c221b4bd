//===- TrnBase.td - The trn dialect ------------------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNBASE
#define TRN_DIALECT_TRN_IR_TRNBASE

include "mlir/IR/OpBase.td"

def Trn_Dialect : Dialect {
  let name = "trn";
  let cppNamespace = "::mlir::trn";
  let summary = "tiles and engines of an AWS Trainium NeuronCore";
  let description = [{
    The `trn` dialect holds programs for one NeuronCore: buffers in SBUF and
    PSUM, DMA transfers, and the tile instructions of the four compute engines.
  }];
  let useDefaultAttributePrinterParser = 1;
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$kernel,
    "::mlir::UnitAttr":$result,
    "::mlir::IntegerAttr":$flops,
    "::mlir::DictionaryAttr":$schedule,
    "::mlir::StringAttr":$param
  );
}

class Trn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Trn_Dialect, mnemonic, traits>;

#endif // TRN_DIALECT_TRN_IR_TRNBASE
