// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s

// A condition that is repeated for all heads gives a mask of one.

// CHECK-LABEL: @heads(
// CHECK-SAME: %[[S:[a-z0-9]*]]: tensor<4x40x50xf32>, %[[C:[a-z0-9]*]]: tensor<40x50xi1>
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<40x50xi1>) outs(%{{.*}} : tensor<40x50xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[S]], %[[M]] : tensor<4x40x50xf32>, tensor<40x50xbf16>)
// CHECK: arith.minimumf
func.func @heads(%s: tensor<4x40x50xf32>, %c: tensor<40x50xi1>) -> tensor<4x40xf32> {
  %low = arith.constant 0xFF800000 : f32
  %ce = tensor.empty() : tensor<4x40x50xi1>
  %all = linalg.broadcast ins(%c : tensor<40x50xi1>) outs(%ce : tensor<4x40x50xi1>) dimensions = [0]
  %e = tensor.empty() : tensor<4x40x50xf32>
  %m = linalg.generic {indexing_maps = [affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>, affine_map<(h, i, j) -> (h, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%all, %s : tensor<4x40x50xi1>, tensor<4x40x50xf32>) outs(%e : tensor<4x40x50xf32>) {
  ^bb0(%is: i1, %a: f32, %out: f32):
    %v = arith.select %is, %a, %low : f32
    linalg.yield %v : f32
  } -> tensor<4x40x50xf32>
  %me = tensor.empty() : tensor<4x40xf32>
  %start = linalg.fill ins(%low : f32) outs(%me : tensor<4x40xf32>) -> tensor<4x40xf32>
  %most = linalg.reduce { arith.maximumf } ins(%m : tensor<4x40x50xf32>) outs(%start : tensor<4x40xf32>) dimensions = [2]
  return %most : tensor<4x40xf32>
}
