// Weights of experts for each token, transposed to the batches of the experts: a column for each is read where it is.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#all = affine_map<(e, n, c) -> (e, n, c)>
#column = affine_map<(e, n, c) -> (e, n, 0)>

func.func @main(%h: tensor<4x16x48xf32>, %w: tensor<4x48x64xf32>, %gates: tensor<16x4xf32>) -> tensor<4x16x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %y = linalg.batch_matmul ins(%h, %w : tensor<4x16x48xf32>, tensor<4x48x64xf32>) outs(%z : tensor<4x16x64xf32>) -> tensor<4x16x64xf32>
  %te = tensor.empty() : tensor<4x16xf32>
  %t = linalg.transpose ins(%gates : tensor<16x4xf32>) outs(%te : tensor<4x16xf32>) permutation = [1, 0]
  %g = tensor.expand_shape %t [[0], [1, 2]] output_shape [4, 16, 1] : tensor<4x16xf32> into tensor<4x16x1xf32>
  %o = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %g : tensor<4x16x64xf32>, tensor<4x16x1xf32>) outs(%e : tensor<4x16x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<4x16x64xf32>
  return %o : tensor<4x16x64xf32>
}
