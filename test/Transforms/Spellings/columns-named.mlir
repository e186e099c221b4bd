// The halves of a product are gate and up, computed with by named ops.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x112xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x112xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x112xf32>) outs(%zeros : tensor<24x112xf32>) -> tensor<24x112xf32>
  %gate = tensor.extract_slice %y[0, 0] [24, 56] [1, 1] : tensor<24x112xf32> to tensor<24x56xf32>
  %up = tensor.extract_slice %y[0, 56] [24, 56] [1, 1] : tensor<24x112xf32> to tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %minus = linalg.negf ins(%gate : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %power = math.exp %minus : tensor<24x56xf32>
  %one = arith.constant dense<1.0> : tensor<24x56xf32>
  %below = linalg.map { arith.addf } ins(%power, %one : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>)
  %silu = arith.divf %gate, %below : tensor<24x56xf32>
  %o = linalg.mul ins(%silu, %up : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
