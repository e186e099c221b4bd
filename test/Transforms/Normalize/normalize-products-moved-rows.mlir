// RUN: trn-opt %s --trn-normalize-products 2>/dev/null | FileCheck %s

// The heads of an attention are columns of what a projection multiplies. They move behind the rows: what lies together
// stays together, and an attention in front of it computes rows.

// CHECK-LABEL: @heads(
// CHECK: %[[T:.*]] = linalg.transpose ins(%arg0 : tensor<4x32x16xf32>) {{.*}} permutation = [1, 0, 2]
// CHECK: %[[X:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0], [1, 2]] : tensor<32x4x16xf32> into tensor<32x64xf32>
// CHECK: ins(%[[X]], %{{.*}} : tensor<32x64xf32>, tensor<64x24xf32>)
func.func @heads(%a: tensor<4x32x16xf32>, %w: tensor<4x16x24xf32>) -> tensor<32x24xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<32x24xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<32x24xf32>) -> tensor<32x24xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(m, n, h, k) -> (h, m, k)>, affine_map<(m, n, h, k) -> (h, k, n)>, affine_map<(m, n, h, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%a, %w : tensor<4x32x16xf32>, tensor<4x16x24xf32>) outs(%init : tensor<32x24xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %product = arith.mulf %x, %y : f32
    %more = arith.addf %sum, %product : f32
    linalg.yield %more : f32
  } -> tensor<32x24xf32>
  return %o : tensor<32x24xf32>
}
