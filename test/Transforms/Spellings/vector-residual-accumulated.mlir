// A row is what a column accumulates onto, and its factor.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 5,760
// CHECK-COUNT-2: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<32xf32>, %w: tensor<32x40xf32>, %bias: tensor<40xf32>, %s: tensor<40x40xf32>) -> tensor<40xf32> {
  %h = linalg.vecmat ins(%x, %w : tensor<32xf32>, tensor<32x40xf32>) outs(%bias : tensor<40xf32>) -> tensor<40xf32>
  %o = linalg.matvec ins(%s, %h : tensor<40x40xf32>, tensor<40xf32>) outs(%h : tensor<40xf32>) -> tensor<40xf32>
  return %o : tensor<40xf32>
}
