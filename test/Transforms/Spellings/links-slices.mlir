// A dimension of one is dropped and added by slices of the whole, as torch-mlir squeezes.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %u: tensor<40x56xf32>, %v: tensor<56x31xf32>) -> tensor<24x31xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<24x56xf32>
  %y_zeros = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %u : tensor<24x40xf32>, tensor<40x56xf32>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %wide = tensor.empty() : tensor<1x24x56xf32>
  %batch = tensor.insert_slice %y into %wide[0, 0, 0] [1, 24, 56] [1, 1, 1] : tensor<24x56xf32> into tensor<1x24x56xf32>
  %rows = tensor.extract_slice %batch[0, 0, 0] [1, 24, 56] [1, 1, 1] : tensor<1x24x56xf32> to tensor<24x56xf32>
  %o_empty = tensor.empty() : tensor<24x31xf32>
  %o_zeros = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<24x31xf32>) -> tensor<24x31xf32>
  %o = linalg.matmul ins(%rows, %v : tensor<24x56xf32>, tensor<56x31xf32>) outs(%o_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  return %o : tensor<24x31xf32>
}
