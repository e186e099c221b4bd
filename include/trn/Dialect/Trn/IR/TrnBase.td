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
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "trn/Dialect/Trn/IR/TrnInterfaces.td"

def Trn_Dialect : Dialect {
  let name = "trn";
  let cppNamespace = "::mlir::trn";
  let summary = "tiles and engines of an AWS Trainium NeuronCore";
  let description = [{
    The `trn` dialect holds programs for one NeuronCore: buffers in SBUF and
    PSUM, DMA transfers, and the tile instructions of the four compute engines.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$kernel,
    "::mlir::UnitAttr":$result,
    "::mlir::IntegerAttr":$flops,
    "::mlir::DictionaryAttr":$schedule,
    "::mlir::StringAttr":$param,
    "::mlir::trn::MachineAttr":$machine
  );
}

class Trn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Trn_Dialect, mnemonic, traits>;

// An op that is one instruction: it reads its inputs and writes `dst`. Effects
// follow from the destination style and from the memories of the operands, and
// casts of memrefs fold into every operand.
class Trn_DestinationOp<string mnemonic, list<Trait> traits>
    : Trn_Op<mnemonic, !listconcat(traits, [
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>])> {
  let hasFolder = 1;
  let extraClassDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() { return getDstMutable(); }
  }];
  code destinationDefinition = [{
    void $cppClass::getEffects(
        ::llvm::SmallVectorImpl<::mlir::MemoryEffects::EffectInstance> &effects) {
      ::mlir::trn::collectInstructionEffects(*this, effects);
    }
    ::llvm::LogicalResult $cppClass::fold(
        FoldAdaptor, ::llvm::SmallVectorImpl<::mlir::OpFoldResult> &) {
      return ::mlir::trn::foldMemRefCasts(*this);
    }
  }];
  let extraClassDefinition = destinationDefinition;
}

// An instruction of one engine. `methods` names the methods of the interface
// that the op implements beside those without a default.
class Trn_InstructionOp<string mnemonic, list<string> methods = [],
                        list<Trait> traits = []>
    : Trn_DestinationOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Trn_InstructionOpInterface, methods>])>;

// An instruction that more than one compute engine can execute. The attribute
// is absent as long as no engine is assigned.
class Trn_EngineChoiceOp<string mnemonic, list<Trait> traits = []>
    : Trn_DestinationOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Trn_InstructionOpInterface, [
            "getPossibleEngines", "getChosenEngine", "chooseEngine"]>])> {
  let extraClassDefinition = destinationDefinition # [{
    ::mlir::trn::Engine $cppClass::getEngine() {
      return ::mlir::trn::toEngine(
          getAssignedEngine().value_or(getPossibleEngines().front()));
    }
    ::std::optional<::mlir::trn::ComputeEngine> $cppClass::getChosenEngine() {
      return getAssignedEngine();
    }
    void $cppClass::chooseEngine(::mlir::trn::ComputeEngine engine) {
      setAssignedEngine(engine);
    }
  }];
}

#endif // TRN_DIALECT_TRN_IR_TRNBASE
