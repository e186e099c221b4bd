// GELU by erf, on tensors.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %half = arith.constant dense<0.5> : tensor<24x56xf32>
  %one = arith.constant dense<1.0> : tensor<24x56xf32>
  %root = arith.constant dense<0.707106781> : tensor<24x56xf32>
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %z = arith.mulf %y, %root : tensor<24x56xf32>
  %e = math.erf %z : tensor<24x56xf32>
  %a = arith.addf %e, %one : tensor<24x56xf32>
  %h = arith.mulf %y, %half : tensor<24x56xf32>
  %o = arith.mulf %h, %a : tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
