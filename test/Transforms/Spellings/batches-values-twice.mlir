// Heads that a projection and its adapter of low rank (LoRA) read: they are stored once, one beside the other.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%p: tensor<4x32x32xf32>, %v: tensor<4x32x16xf32>, %w: tensor<64x64xf32>, %a: tensor<64x8xf32>, %b: tensor<8x64xf32>) -> tensor<32x64xf32> {
  %zero = arith.constant 0.0 : f32
  %he = tensor.empty() : tensor<4x32x16xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %heads = linalg.batch_matmul ins(%p, %v : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%hz : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %one = tensor.expand_shape %heads [[0, 1], [2], [3]] output_shape [1, 4, 32, 16] : tensor<4x32x16xf32> into tensor<1x4x32x16xf32>
  %te = tensor.empty() : tensor<1x32x4x16xf32>
  %t = linalg.transpose ins(%one : tensor<1x4x32x16xf32>) outs(%te : tensor<1x32x4x16xf32>) permutation = [0, 2, 1, 3]
  %merged = tensor.collapse_shape %t [[0], [1], [2, 3]] : tensor<1x32x4x16xf32> into tensor<1x32x64xf32>
  %x = tensor.collapse_shape %merged [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
  %e = tensor.empty() : tensor<32x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %x2 = tensor.collapse_shape %merged [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
  %de = tensor.empty() : tensor<32x8xf32>
  %dz = linalg.fill ins(%zero : f32) outs(%de : tensor<32x8xf32>) -> tensor<32x8xf32>
  %down = linalg.matmul ins(%x2, %a : tensor<32x64xf32>, tensor<64x8xf32>) outs(%dz : tensor<32x8xf32>) -> tensor<32x8xf32>
  %up = linalg.matmul ins(%down, %b : tensor<32x8xf32>, tensor<8x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %up : tensor<32x64xf32>, tensor<32x64xf32>) outs(%e : tensor<32x64xf32>) {
  ^bb0(%c: f32, %d: f32, %out: f32):
    %sum = arith.addf %c, %d : f32
    linalg.yield %sum : f32
  } -> tensor<32x64xf32>
  return %o : tensor<32x64xf32>
}
