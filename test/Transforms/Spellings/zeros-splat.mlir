// Zeros by tensor.splat.
// RUN: trn-run %s --compile=effort=1 | FileCheck %s
// The reference does not evaluate tensor.splat.
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xf16>, %w: tensor<40x56xf16>) -> tensor<24x56xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = tensor.splat %zero : tensor<24x56xf32>
  %o = linalg.matmul ins(%x, %w : tensor<24x40xf16>, tensor<40x56xf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
