// The projection behind attention sums over heads and their columns, einsum bshd,hde->bse.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<3x8x5x8xbf16>, %w: tensor<5x8x56xbf16>) -> tensor<3x8x56xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x8x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x8x56xf32>) -> tensor<3x8x56xf32>
  %sum = linalg.contract
      indexing_maps = [affine_map<(b, s, h, d, e) -> (b, s, h, d)>, affine_map<(b, s, h, d, e) -> (h, d, e)>, affine_map<(b, s, h, d, e) -> (b, s, e)>]
      ins(%x, %w : tensor<3x8x5x8xbf16>, tensor<5x8x56xbf16>) outs(%zeros : tensor<3x8x56xf32>) -> tensor<3x8x56xf32>
  %o = arith.truncf %sum : tensor<3x8x56xf32> to tensor<3x8x56xbf16>
  return %o : tensor<3x8x56xbf16>
}
