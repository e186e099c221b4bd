// Operands that arith.extf widens on tensors before a product in f32.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %x_wide = arith.extf %x : tensor<24x40xbf16> to tensor<24x40xf32>
  %w_wide = arith.extf %w : tensor<40x56xbf16> to tensor<40x56xf32>
  %sum = linalg.matmul ins(%x_wide, %w_wide : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o = arith.truncf %sum : tensor<24x56xf32> to tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
