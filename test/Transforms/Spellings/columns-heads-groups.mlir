// Queries of three heads, their key and their value side by side for each group of heads, as Falcon and InternLM2 have them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops
// CHECK: load_ops
// CHECK-NOT: host_ops

#queries = affine_map<(n, g, h, d) -> (n, g, h, d)>
#shared = affine_map<(n, g, h, d) -> (n, g, d)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<160x40xf32> {trn.param = "w"}) -> tensor<24x2x3x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x160xf32>
  %te = tensor.empty() : tensor<40x160xf32>
  %t = linalg.transpose ins(%w : tensor<160x40xf32>) outs(%te : tensor<40x160xf32>) permutation = [1, 0]
  %y = linalg.matmul ins(%x, %t : tensor<24x40xf32>, tensor<40x160xf32>) outs(%zeros : tensor<24x160xf32>) -> tensor<24x160xf32>
  %all = tensor.expand_shape %y [[0], [1, 2, 3]] output_shape [24, 2, 5, 16] : tensor<24x160xf32> into tensor<24x2x5x16xf32>
  %q = tensor.extract_slice %all[0, 0, 0, 0] [24, 2, 3, 16] [1, 1, 1, 1] : tensor<24x2x5x16xf32> to tensor<24x2x3x16xf32>
  %k = tensor.extract_slice %all[0, 0, 3, 0] [24, 2, 1, 16] [1, 1, 1, 1] : tensor<24x2x5x16xf32> to tensor<24x2x16xf32>
  %v = tensor.extract_slice %all[0, 0, 4, 0] [24, 2, 1, 16] [1, 1, 1, 1] : tensor<24x2x5x16xf32> to tensor<24x2x16xf32>
  %empty = tensor.empty() : tensor<24x2x3x16xf32>
  %o = linalg.generic {indexing_maps = [#queries, #shared, #shared, #queries], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q, %k, %v : tensor<24x2x3x16xf32>, tensor<24x2x16xf32>, tensor<24x2x16xf32>) outs(%empty : tensor<24x2x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %p, %c : f32
    linalg.yield %s : f32
  } -> tensor<24x2x3x16xf32>
  return %o : tensor<24x2x3x16xf32>
}
