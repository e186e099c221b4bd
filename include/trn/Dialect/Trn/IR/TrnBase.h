//===- TrnBase.h - The attributes and the class of the dialect --*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNBASE_H
#define TRN_DIALECT_TRN_IR_TRNBASE_H

#include "trn/Planning/Plan.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include "trn/Dialect/Trn/IR/TrnEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "trn/Dialect/Trn/IR/TrnAttrs.h.inc"

#include "trn/Dialect/Trn/IR/TrnDialect.h.inc"

#endif // TRN_DIALECT_TRN_IR_TRNBASE_H
