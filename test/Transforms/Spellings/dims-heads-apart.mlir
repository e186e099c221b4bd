// Heads that lie in front of the rows, einsum bhsd,hde->bse: their columns must be moved together.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<3x5x8x8xf32>, %w: tensor<5x8x56xf32>) -> tensor<3x8x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x8x56xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, s, h, d, e) -> (b, h, s, d)>, affine_map<(b, s, h, d, e) -> (h, d, e)>, affine_map<(b, s, h, d, e) -> (b, s, e)>]
      ins(%x, %w : tensor<3x5x8x8xf32>, tensor<5x8x56xf32>) outs(%zeros : tensor<3x8x56xf32>) -> tensor<3x8x56xf32>
  return %o : tensor<3x8x56xf32>
}
