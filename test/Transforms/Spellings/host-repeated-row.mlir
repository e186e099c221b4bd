// A trained row that attends in each of two sequences: the host repeats it before all kernels, wherever the source does.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

#one = affine_map<(b, i, c) -> (i, c)>
#each = affine_map<(b, i, c) -> (b, i, c)>
#turned = affine_map<(b, i, j, c) -> (b, j, c)>
#rows = affine_map<(b, i, j, c) -> (b, i, c)>
#scores = affine_map<(b, i, j, c) -> (b, i, j)>

func.func @main(%x: tensor<64x64xf32>, %probe: tensor<1x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>) -> tensor<2x1x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %h = linalg.matmul ins(%x, %wk : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %n = linalg.softmax dimension(1) ins(%h : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %k = tensor.expand_shape %n [[0, 1], [2]] output_shape [2, 32, 64] : tensor<64x64xf32> into tensor<2x32x64xf32>
  %pe = tensor.empty() : tensor<2x1x64xf32>
  %probes = linalg.generic {indexing_maps = [#one, #each], iterator_types = ["parallel", "parallel", "parallel"]} ins(%probe : tensor<1x64xf32>) outs(%pe : tensor<2x1x64xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<2x1x64xf32>
  %flat = tensor.collapse_shape %probes [[0, 1], [2]] : tensor<2x1x64xf32> into tensor<2x64xf32>
  %qe = tensor.empty() : tensor<2x64xf32>
  %qz = linalg.fill ins(%zero : f32) outs(%qe : tensor<2x64xf32>) -> tensor<2x64xf32>
  %q0 = linalg.matmul ins(%flat, %wq : tensor<2x64xf32>, tensor<64x64xf32>) outs(%qz : tensor<2x64xf32>) -> tensor<2x64xf32>
  %q = tensor.expand_shape %q0 [[0, 1], [2]] output_shape [2, 1, 64] : tensor<2x64xf32> into tensor<2x1x64xf32>
  %se = tensor.empty() : tensor<2x1x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x1x32xf32>) -> tensor<2x1x32xf32>
  %s = linalg.generic {indexing_maps = [#rows, #turned, #scores], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x1x64xf32>, tensor<2x32x64xf32>) outs(%sz : tensor<2x1x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<2x1x32xf32>
  return %s : tensor<2x1x32xf32>
}
