// A batch that is summed over is a part of k.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<5x24x8xf32>, %w: tensor<5x8x56xf32>) -> tensor<24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %o = linalg.batch_reduce_matmul ins(%x, %w : tensor<5x24x8xf32>, tensor<5x8x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
