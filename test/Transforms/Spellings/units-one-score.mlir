// Attention of one token to itself, as of a prompt of one: the maximum and the sum of one score are that score's, and no work of the host.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#all = affine_map<(b, h, i, j) -> (b, h, i, j)>
#row = affine_map<(b, h, i, j) -> (b, h, i, 0)>

func.func @main(%q: tensor<4x1x16xf32>, %k: tensor<4x16x1xf32>, %v: tensor<4x1x16xf32>) -> tensor<4x1x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %se = tensor.empty() : tensor<4x1x1xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<4x1x16xf32>, tensor<4x16x1xf32>) outs(%sz : tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
  %s = tensor.expand_shape %scores [[0, 1], [2], [3]] output_shape [1, 4, 1, 1] : tensor<4x1x1xf32> into tensor<1x4x1x1xf32>
  %e = tensor.empty() : tensor<1x4x1x1xf32>
  %mz = linalg.fill ins(%low : f32) outs(%e : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%s : tensor<1x4x1x1xf32>) outs(%mz : tensor<1x4x1x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %n = arith.maximumf %a, %acc : f32
    linalg.yield %n : f32
  } -> tensor<1x4x1x1xf32>
  %p = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s, %m : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%e : tensor<1x4x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %x = math.exp %d : f32
    linalg.yield %x : f32
  } -> tensor<1x4x1x1xf32>
  %lz = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
  %l = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%p : tensor<1x4x1x1xf32>) outs(%lz : tensor<1x4x1x1xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %n = arith.addf %a, %acc : f32
    linalg.yield %n : f32
  } -> tensor<1x4x1x1xf32>
  %w = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p, %l : tensor<1x4x1x1xf32>, tensor<1x4x1x1xf32>) outs(%e : tensor<1x4x1x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<1x4x1x1xf32>
  %weights = tensor.collapse_shape %w [[0, 1], [2], [3]] : tensor<1x4x1x1xf32> into tensor<4x1x1xf32>
  %oe = tensor.empty() : tensor<4x1x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  %o = linalg.batch_matmul ins(%weights, %v : tensor<4x1x1xf32>, tensor<4x1x16xf32>) outs(%oz : tensor<4x1x16xf32>) -> tensor<4x1x16xf32>
  return %o : tensor<4x1x16xf32>
}
