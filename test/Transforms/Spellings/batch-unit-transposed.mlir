// linalg.batch_matmul with maps says that both operands lie the other way round.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<1x40x24xf32>, %w: tensor<1x56x40xf32>) -> tensor<1x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<1x24x56xf32>
  %o = linalg.batch_matmul
      indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : tensor<1x40x24xf32>, tensor<1x56x40xf32>) outs(%zeros : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  return %o : tensor<1x24x56xf32>
}
