// One token.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 4,480
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<40xbf16>, %w: tensor<40x56xbf16>) -> tensor<56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<56xf32>
  %o = linalg.vecmat ins(%x, %w : tensor<40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<56xf32>) -> tensor<56xf32>
  return %o : tensor<56xf32>
}
