//===- TrnDialect.cpp - The trn dialect -----------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "StepsFormat.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;

#include "trn/Dialect/Trn/IR/TrnDialect.cpp.inc"
#include "trn/Dialect/Trn/IR/TrnEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "trn/Dialect/Trn/IR/TrnAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "trn/Dialect/Trn/IR/TrnOps.cpp.inc"

void TrnDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "trn/Dialect/Trn/IR/TrnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "trn/Dialect/Trn/IR/TrnOps.cpp.inc"
      >();
}
