//===- TrnInterfaces.td - From ops to instructions ---------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNINTERFACES
#define TRN_DIALECT_TRN_IR_TRNINTERFACES

include "mlir/IR/OpBase.td"

def Trn_InstructionOpInterface : OpInterface<"InstructionOpInterface"> {
  let cppNamespace = "::mlir::trn";
  let description = [{
    An op that is one instruction of an engine. Through this interface alone the
    decoder, the verifier of programs, the placement and the engine assignment
    see ops, so an op of another dialect joins in by implementing it.
  }];
  let methods = [
    InterfaceMethod<[{
      The engine that executes the op; its default engine if none is assigned.
    }], "::mlir::trn::Engine", "getEngine">,
    InterfaceMethod<[{
      The work of the op for its engine on `machine`.
    }], "::mlir::trn::Work", "getWork", (ins "const ::mlir::trn::Machine &":$machine)>,
    InterfaceMethod<[{
      The instruction as plain data. `resolver` knows where operands are; the
      caller fills in `Instruction::op`. Emits an error on failure.
    }], "::llvm::FailureOr<::mlir::trn::Instruction>", "decode",
      (ins "::mlir::trn::OperandResolver &":$resolver)>,
    InterfaceMethod<[{
      The rules that hold on `machine` only; those of all machines are in the
      op's own verifier. Emits an error on failure.
    }], "::llvm::LogicalResult", "verifyOn", (ins "const ::mlir::trn::Machine &":$machine),
      /*methodBody=*/"",
      /*defaultImplementation=*/"(void)machine; return ::mlir::success();">,
    InterfaceMethod<[{
      Whether the op may add to what `init`, one of its destinations, holds
      instead of overwriting it.
    }], "bool", "mayAccumulate", (ins "::mlir::OpOperand &":$init),
      /*methodBody=*/"", /*defaultImplementation=*/"(void)init; return false;">,
    InterfaceMethod<[{
      The compute engines that could execute the op with these operands, the
      preferred one first; empty if there is nothing to choose.
    }], "::llvm::SmallVector<::mlir::trn::ComputeEngine>", "getPossibleEngines", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return {};">,
    InterfaceMethod<[{
      The engine that the op was assigned to, if there was something to choose.
    }], "::std::optional<::mlir::trn::ComputeEngine>", "getChosenEngine", (ins),
      /*methodBody=*/"", /*defaultImplementation=*/"return ::std::nullopt;">,
    InterfaceMethod<[{
      Assigns the op to one of its possible engines.
    }], "void", "chooseEngine", (ins "::mlir::trn::ComputeEngine":$engine),
      /*methodBody=*/"", /*defaultImplementation=*/"(void)engine;">
  ];
  let verify = [{ return ::mlir::trn::verifyStorage($_op); }];
}

#endif // TRN_DIALECT_TRN_IR_TRNINTERFACES
