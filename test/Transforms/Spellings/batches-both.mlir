// A batch that both operands have.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<3x24x40xbf16>, %w: tensor<3x40x56xbf16>) -> tensor<3x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x24x56xf32>
  %o = linalg.batch_matmul ins(%x, %w : tensor<3x24x40xbf16>, tensor<3x40x56xbf16>) outs(%zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  return %o : tensor<3x24x56xf32>
}
