// Two products read one intermediate.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %u: tensor<40x16xf32>, %v: tensor<16x56xf32>, %w: tensor<16x31xf32>) -> (tensor<24x56xf32>, tensor<24x31xf32>) {
  %y_zeros = arith.constant dense<0.0> : tensor<24x16xf32>
  %y = linalg.matmul ins(%x, %u : tensor<24x40xf32>, tensor<40x16xf32>) outs(%y_zeros : tensor<24x16xf32>) -> tensor<24x16xf32>
  %a_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %a = linalg.matmul ins(%y, %v : tensor<24x16xf32>, tensor<16x56xf32>) outs(%a_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %b_zeros = arith.constant dense<0.0> : tensor<24x31xf32>
  %b = linalg.matmul ins(%y, %w : tensor<24x16xf32>, tensor<16x31xf32>) outs(%b_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  return %a, %b : tensor<24x56xf32>, tensor<24x31xf32>
}
