//===- TrnOps.td - Operations of the trn dialect -----------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNOPS
#define TRN_DIALECT_TRN_IR_TRNOPS

include "trn/Dialect/Trn/IR/TrnBase.td"
include "trn/Dialect/Trn/IR/TrnAttrs.td"
include "trn/Dialect/Trn/IR/TrnBufferOps.td"
include "trn/Dialect/Trn/IR/TrnDmaOps.td"
include "trn/Dialect/Trn/IR/TrnTensorEngineOps.td"
include "trn/Dialect/Trn/IR/TrnElementwiseOps.td"
include "trn/Dialect/Trn/IR/TrnScalarOps.td"
include "trn/Dialect/Trn/IR/TrnCountingOps.td"
include "trn/Dialect/Trn/IR/TrnReduceOps.td"
include "trn/Dialect/Trn/IR/TrnPartitionOps.td"
include "trn/Dialect/Trn/IR/TrnCollectiveOps.td"

#endif // TRN_DIALECT_TRN_IR_TRNOPS
