//===- TrnEnums.td - Words of the trn dialect --------------*- tablegen -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_TRNENUMS
#define TRN_DIALECT_TRN_IR_TRNENUMS

include "mlir/IR/EnumAttr.td"

class Trn_Enum<string name, string summary, list<I32EnumCase> cases>
    : I32Enum<name, summary, cases> {
  let cppNamespace = "::mlir::trn";
}

def Trn_MemorySpace : Trn_Enum<"MemorySpace", "a memory of a NeuronCore", [
  I32EnumCase<"Hbm", 0, "hbm">,
  I32EnumCase<"Sbuf", 1, "sbuf">,
  I32EnumCase<"Psum", 2, "psum">]>;

def Trn_ComputeEngine : Trn_Enum<"ComputeEngine", "a compute engine of a NeuronCore", [
  I32EnumCase<"Tensor", 0, "tensor">,
  I32EnumCase<"Vector", 1, "vector">,
  I32EnumCase<"Scalar", 2, "scalar">,
  I32EnumCase<"GpSimd", 3, "gpsimd">]>;

// The names are those of `trn/Machine/Function.h`; the interpreter computes them.
def Trn_ActivationFunction : Trn_Enum<"ActivationFunction", "a function of one value", [
  I32EnumCase<"Copy", 0, "copy">,
  I32EnumCase<"Relu", 1, "relu">,
  I32EnumCase<"Silu", 2, "silu">,
  I32EnumCase<"Gelu", 3, "gelu">,
  I32EnumCase<"Sigmoid", 4, "sigmoid">,
  I32EnumCase<"Tanh", 5, "tanh">,
  I32EnumCase<"Erf", 6, "erf">,
  I32EnumCase<"Exp", 7, "exp">,
  I32EnumCase<"Log", 8, "log">,
  I32EnumCase<"Square", 9, "square">,
  I32EnumCase<"Sqrt", 10, "sqrt">,
  I32EnumCase<"Rsqrt", 11, "rsqrt">,
  I32EnumCase<"Reciprocal", 12, "reciprocal">,
  I32EnumCase<"Abs", 13, "abs">,
  I32EnumCase<"GeluApprxTanh", 14, "gelu_apprx_tanh">,
  I32EnumCase<"Softplus", 15, "softplus">,
  I32EnumCase<"Mish", 16, "mish">]>;

def Trn_BinaryFunction : Trn_Enum<"BinaryFunction", "a function of two values", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Sub", 1, "sub">,
  I32EnumCase<"Mul", 2, "mul">,
  I32EnumCase<"Div", 3, "div">,
  I32EnumCase<"Max", 4, "max">,
  I32EnumCase<"Min", 5, "min">]>;

def Trn_ReduceFunction : Trn_Enum<"ReduceFunction", "a function that folds many values into one", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Max", 1, "max">,
  I32EnumCase<"Min", 2, "min">]>;

#endif // TRN_DIALECT_TRN_IR_TRNENUMS
