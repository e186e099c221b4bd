// A batched product of four dimensions that is written with three.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<2x3x24x40xf32>, %w: tensor<2x3x40x56xf32>) -> tensor<2x3x24x56xf32> {
  %x3 = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x24x40xf32> into tensor<6x24x40xf32>
  %w3 = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<2x3x40x56xf32> into tensor<6x40x56xf32>
  %zeros = arith.constant dense<0.0> : tensor<6x24x56xf32>
  %o3 = linalg.batch_matmul ins(%x3, %w3 : tensor<6x24x40xf32>, tensor<6x40x56xf32>) outs(%zeros : tensor<6x24x56xf32>) -> tensor<6x24x56xf32>
  %o = tensor.expand_shape %o3 [[0, 1], [2], [3]] output_shape [2, 3, 24, 56] : tensor<6x24x56xf32> into tensor<2x3x24x56xf32>
  return %o : tensor<2x3x24x56xf32>
}
