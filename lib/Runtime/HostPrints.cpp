//===- HostPrints.cpp - Upstream functions that print memrefs -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostPrints.h"

#include "trn/Dialect/Trn/IR/Kernel.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/ExecutionEngine/RunnerUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::trn;

namespace {
struct Print {
  StringLiteral name;
  void *function;
};
} // namespace

#define TRN_PRINT(SUFFIX)                                                      \
  Print {                                                                      \
    "printMemref" #SUFFIX,                                                     \
        reinterpret_cast<void *>(&_mlir_ciface_printMemref##SUFFIX)            \
  }

/// `2d` in a name says the rank; without it any rank is printed.
static const Print prints[] = {
    TRN_PRINT(I8),    TRN_PRINT(I16),   TRN_PRINT(I32),   TRN_PRINT(I64),
    TRN_PRINT(F16),   TRN_PRINT(BF16),  TRN_PRINT(F32),   TRN_PRINT(F64),
    TRN_PRINT(Ind),   TRN_PRINT(C32),   TRN_PRINT(C64),   TRN_PRINT(0dF32),
    TRN_PRINT(1dF32), TRN_PRINT(2dF32), TRN_PRINT(3dF32), TRN_PRINT(4dF32),
    TRN_PRINT(1dI8),  TRN_PRINT(1dI32), TRN_PRINT(1dI64), TRN_PRINT(1dF64),
    TRN_PRINT(1dInd), TRN_PRINT(1dC32), TRN_PRINT(1dC64),
};

#undef TRN_PRINT

/// Whether `element` is what a name that ends in `suffix` prints.
static bool isNamed(Type element, StringRef suffix) {
  auto complex = dyn_cast<ComplexType>(element);
  return llvm::StringSwitch<bool>(suffix)
      .Case("I8", element.isInteger(8))
      .Case("I16", element.isInteger(16))
      .Case("I32", element.isInteger(32))
      .Case("I64", element.isInteger(64))
      .Case("F16", element.isF16())
      .Case("BF16", element.isBF16())
      .Case("F32", element.isF32())
      .Case("F64", element.isF64())
      .Case("Ind", element.isIndex())
      .Case("C32", complex && complex.getElementType().isF32())
      .Case("C64", complex && complex.getElementType().isF64())
      .Default(false);
}

bool mlir::trn::isPrint(func::FuncOp func) {
  StringRef name = func.getSymName();
  if (!func.isExternal() || !func.isPrivate() || isKernel(func) ||
      func.getNumArguments() != 1 || func.getNumResults() != 0 ||
      llvm::none_of(prints, [&](const Print &p) { return p.name == name; }))
    return false;
  Type argument = func.getArgumentTypes().front();
  if (!isa<BaseMemRefType, TensorType>(argument))
    return false;
  auto type = cast<ShapedType>(argument);
  name.consume_front("printMemref");
  int64_t rank;
  bool isRanked = !name.consumeInteger(10, rank) && name.consume_front("d");
  return type.hasRank() == isRanked && (!isRanked || type.getRank() == rank) &&
         isNamed(type.getElementType(), name);
}

bool mlir::trn::callsPrint(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return false;
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  return callee && isPrint(callee);
}

void mlir::trn::preparePrint(func::FuncOp func) {
  Builder builder(func.getContext());
  // With other interfaces upstream has few of them.
  func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                builder.getUnitAttr());
  // Else bufferization takes it for written, and copies nothing without a rank.
  func.setArgAttr(0, bufferization::BufferizationDialect::kBufferAccessAttrName,
                  builder.getStringAttr("read"));
}

llvm::orc::SymbolMap
mlir::trn::getPrintSymbols(llvm::orc::MangleAndInterner intern) {
  llvm::orc::SymbolMap symbols;
  for (const Print &print : prints)
    symbols[intern(("_mlir_ciface_" + print.name).str())] = {
        llvm::orc::ExecutorAddr::fromPtr(print.function),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  return symbols;
}
