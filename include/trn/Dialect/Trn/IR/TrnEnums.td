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
  I32EnumCase<"Mish", 16, "mish">,
  I32EnumCase<"Sin", 17, "sin">,
  I32EnumCase<"Arctan", 18, "arctan">,
  I32EnumCase<"Sign", 19, "sign">,
  I32EnumCase<"GeluApprxSigmoid", 20, "gelu_apprx_sigmoid">,
  I32EnumCase<"SiluDx", 21, "silu_dx">,
  I32EnumCase<"GeluDx", 22, "gelu_dx">,
  I32EnumCase<"GeluApprxSigmoidDx", 23, "gelu_apprx_sigmoid_dx">,
  I32EnumCase<"ErfDx", 24, "erf_dx">]>;

def Trn_BinaryFunction : Trn_Enum<"BinaryFunction", "a function of two values", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Sub", 1, "sub">,
  I32EnumCase<"Mul", 2, "mul">,
  I32EnumCase<"Div", 3, "div">,
  I32EnumCase<"Max", 4, "max">,
  I32EnumCase<"Min", 5, "min">,
  I32EnumCase<"Pow", 6, "pow">,
  I32EnumCase<"Mod", 7, "mod">,
  I32EnumCase<"Fmod", 8, "fmod">,
  I32EnumCase<"Eq", 9, "eq">,
  I32EnumCase<"Ne", 10, "ne">,
  I32EnumCase<"Gt", 11, "gt">,
  I32EnumCase<"Ge", 12, "ge">,
  I32EnumCase<"Lt", 13, "lt">,
  I32EnumCase<"Le", 14, "le">,
  I32EnumCase<"And", 15, "and">,
  I32EnumCase<"Or", 16, "or">,
  I32EnumCase<"Xor", 17, "xor">]>;

def Trn_ReduceFunction : Trn_Enum<"ReduceFunction", "a function that folds many values into one", [
  I32EnumCase<"Add", 0, "add">,
  I32EnumCase<"Max", 1, "max">,
  I32EnumCase<"Min", 2, "min">,
  I32EnumCase<"Mul", 3, "mul">]>;

#endif // TRN_DIALECT_TRN_IR_TRNENUMS
