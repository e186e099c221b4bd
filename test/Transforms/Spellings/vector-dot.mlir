// Two vectors.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 400
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<200xf32>, %y: tensor<200xf32>) -> tensor<f32> {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %o = linalg.dot ins(%x, %y : tensor<200xf32>, tensor<200xf32>) outs(%zero : tensor<f32>) -> tensor<f32>
  return %o : tensor<f32>
}
