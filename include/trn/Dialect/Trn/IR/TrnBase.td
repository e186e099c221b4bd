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
    `docs/Dialects/Trn.md` says why it is as it is.

    A kernel of a logical core is two of them: `trn.other_core = @g` names what the
    other core runs at the same time, on the same arguments. Scratch in HBM with one
    number `trn.shared` is the same for both.

    A kernel is a private function with `trn.kernel`. Its arguments are memrefs in
    HBM; those with `trn.result` come last and are written. `trn.flops` (the
    FLOPs of the model) and `trn.schedule` (what it computes, and how) stand beside
    `trn.kernel`; `trn.param` names the parameter of a model that an argument
    takes, `trn.shard` says which part of a tensor [each core](#shardattr) has, and
    `trn.machine` stands on the module. `trn.budget` on a kernel or on a
    public function limits numbers of its report, which `trn-run` checks. In a
    kernel that was compiled by a schedule, `trn.stage` names the stage of each
    instruction by its result, and `trn.matrix` what each buffer holds.

    Elements are floats, or `i32` and `ui32`, which are for indices and counts: rows
    of `trn.dma_gather` and `trn.dma_scatter`. Transfers, copies and shuffles move
    integers of one type as they are. All else computes in f32, as the engines do
    (ISA:1115), and takes them for what they are below 2^24; a run is held to that.
    The tensor engine and transposes have none.

    Elements of 8 bits, `i8`, `f8E4M3` and `f8E4M3FN`, are for weights: the DMA moves
    half of the bytes, and VectorE, ScalarE or GpSimd widens them on the way to the
    tensor engine, which takes floats of 16 and 32 bits alone.

    ```mlir
    module attributes {trn.machine = #trn.machine<"trn2">} {
      func.func private @copy(%x: memref<128x64xf32>, %y: memref<128x64xf32> {trn.result})
          attributes {trn.kernel, trn.flops = 0 : i64} {
        %tile = trn.alloc : memref<128x64xf32, #trn.mem<sbuf>>
        trn.dma_copy %x to %tile : memref<128x64xf32> to memref<128x64xf32, #trn.mem<sbuf>>
        trn.dma_copy %tile to %y : memref<128x64xf32, #trn.mem<sbuf>> to memref<128x64xf32>
        trn.dealloc %tile : memref<128x64xf32, #trn.mem<sbuf>>
        return
      }
    }
    ```

    Rules:
    - `attr_machine_c1`: `trn.machine` stands on modules
    - `attr_machine_c2`: it is a `#trn.machine`
    - `attr_kernel_c1`: `trn.kernel`, `trn.flops` and `trn.schedule` stand on
      functions
    - `attr_kernel_c2`: the last two only on kernels
    - `attr_kernel_c3`: `trn.kernel` is a unit attribute
    - `attr_kernel_c4`: `trn.schedule` is a `#trn.schedule`
    - `attr_kernel_c5`: `trn.flops` is a 64-bit count
    - `attr_kernel_c6`: the arguments are memrefs for the inputs of the schedule's
      graph, then for its results
    - `attr_kernel_c7`: its plan can be followed on the machine of the kernel
    - `attr_other_core_c1`: `trn.other_core` is a symbol and stands on a kernel
    - `attr_shared_c1`: `trn.shared` is a number and stands on a `memref.alloc`
    - `attr_budget_c1`: `trn.budget` stands on functions that are kernels or public
    - `attr_budget_c2`: it is a dictionary
    - `attr_budget_c3`: its keys are numbers of the report
    - `attr_budget_c4`: its values are finite numbers
    - `attr_stage_c1`: `trn.stage` is a name and stands on an instruction
    - `attr_matrix_c1`: `trn.matrix` is a name and stands on a `trn.alloc`
    - `attr_result_c1`: `trn.result` is a unit attribute
    - `attr_result_c2`: it marks memrefs that a function writes
    - `attr_param_c1`: `trn.param` is a name
    - `attr_band_c1`: `trn.band` is a `#trn.band`
    - `attr_shard_c1`: `trn.shard` is a `#trn.shard`
    - `attr_shard_c2`: it stands on tensors and memrefs that have its dimension
    - `attr_shard_c3`: which has the extent of a piece, or of the whole as a request
    - `storage_c1`: what writes `i8` moves it from `i8`; it is not computed
    - `attr_c1`, `attr_c2`, `attr_c3`: no other `trn.` attribute stands on an op, an
      argument or a result
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let hasRegionResultAttrVerify = 1;
  let discardableAttrs = (ins
    "::mlir::UnitAttr":$kernel,
    "::mlir::UnitAttr":$result,
    "::mlir::FlatSymbolRefAttr":$other_core,
    "::mlir::IntegerAttr":$shared,
    "::mlir::trn::BandAttr":$band,
    "::mlir::IntegerAttr":$flops,
    "::mlir::trn::ScheduleAttr":$schedule,
    "::mlir::DictionaryAttr":$budget,
    "::mlir::StringAttr":$param,
    "::mlir::trn::ShardAttr":$shard,
    "::mlir::StringAttr":$stage,
    "::mlir::StringAttr":$matrix,
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
class Trn_EngineChoiceOp<string mnemonic, list<string> methods = [],
                         list<Trait> traits = []>
    : Trn_DestinationOp<mnemonic, !listconcat(traits, [
        DeclareOpInterfaceMethods<Trn_InstructionOpInterface, !listconcat(methods, [
            "getPossibleEngines", "getChosenEngine", "chooseEngine"])>])> {
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

// An instruction that may fold its results into `sums`, which follows `dst`.
defvar Trn_foldingDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      unsigned dst = getDstMutable().getOperandNumber();
      return {getOperation(), dst, getSums() ? 2u : 1u};
    }
    bool mayAccumulate(::mlir::OpOperand &init) {
      return getAccumulate() &&
             init.getOperandNumber() > getDstMutable().getOperandNumber();
    }
  }];

#endif // TRN_DIALECT_TRN_IR_TRNBASE
