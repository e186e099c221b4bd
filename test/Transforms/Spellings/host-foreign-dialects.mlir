// Texts of exporters that are not lowered to linalg, or are older: the error says where to look.
// RUN: not trn-opt %s -split-input-file 2>&1 | FileCheck %s
// RUN: not trn-run %s 2>&1 | FileCheck %s --check-prefix=SAME

// CHECK: error: Dialect `stablehlo' not found
// CHECK: note: lower the module to linalg on tensors first: docs/Import.md, JAX
// SAME: note: lower the module to linalg on tensors first: docs/Import.md, JAX
func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %y = stablehlo.exponential %x : tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// CHECK: error: `!"torch"<"vtensor<[2,3],f32>">` type created with unregistered dialect
// CHECK: note: lower the module to linalg on tensors first: docs/Import.md, PyTorch
func.func private @f(!torch.vtensor<[2,3],f32>)

// -----

// CHECK: error: custom op 'tensor.expand_shape' expected 'output_shape'
// CHECK: note: older versions of MLIR printed no output_shape; add the sizes of the result, as in 'output_shape [2, 3]': docs/Import.md, What is refused
func.func @main(%x: tensor<2x6xf32>) -> tensor<2x3x2xf32> {
  %y = tensor.expand_shape %x [[0], [1, 2]] : tensor<2x6xf32> into tensor<2x3x2xf32>
  return %y : tensor<2x3x2xf32>
}
