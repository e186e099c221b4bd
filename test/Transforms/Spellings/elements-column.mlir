// The columns of a product times its first one, by a constant index.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zeros = arith.constant dense<0.0> : tensor<64x64xf32>
  %empty = tensor.empty() : tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%zeros : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %p : tensor<64x64xf32>, tensor<64x64xf32>) outs(%empty : tensor<64x64xf32>) {
  ^bb0(%first: f32, %each: f32, %out: f32):
    %m = arith.mulf %first, %each : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}
