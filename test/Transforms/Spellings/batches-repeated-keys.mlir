// Grouped heads whose keys are repeated for their group, as transformers does it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%q: tensor<1x6x24x16xf32>, %k: tensor<1x3x31x16xf32>, %mask: tensor<1x1x24x31xf32>) -> tensor<1x6x24x31xf32> {
  %r_empty = tensor.empty() : tensor<1x3x2x31x16xf32>
  %repeated = linalg.broadcast ins(%k : tensor<1x3x31x16xf32>) outs(%r_empty : tensor<1x3x2x31x16xf32>) dimensions = [2]
  %heads = tensor.collapse_shape %repeated [[0], [1, 2], [3], [4]] : tensor<1x3x2x31x16xf32> into tensor<1x6x31x16xf32>
  %t_empty = tensor.empty() : tensor<1x6x16x31xf32>
  %kt = linalg.transpose ins(%heads : tensor<1x6x31x16xf32>) outs(%t_empty : tensor<1x6x16x31xf32>) permutation = [0, 1, 3, 2]
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x6x24x16xf32> into tensor<6x24x16xf32>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<1x6x16x31xf32> into tensor<6x16x31xf32>
  %zeros = arith.constant dense<0.0> : tensor<6x24x31xf32>
  %sums = linalg.batch_matmul ins(%q3, %k3 : tensor<6x24x16xf32>, tensor<6x16x31xf32>) outs(%zeros : tensor<6x24x31xf32>) -> tensor<6x24x31xf32>
  %scores = tensor.expand_shape %sums [[0, 1], [2], [3]] output_shape [1, 6, 24, 31] : tensor<6x24x31xf32> into tensor<1x6x24x31xf32>
  %empty = tensor.empty() : tensor<1x6x24x31xf32>
  %masked = linalg.generic {
      indexing_maps = [affine_map<(b, h, s, t) -> (b, h, s, t)>, affine_map<(b, h, s, t) -> (b, 0, s, t)>, affine_map<(b, h, s, t) -> (b, h, s, t)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores, %mask : tensor<1x6x24x31xf32>, tensor<1x1x24x31xf32>) outs(%empty : tensor<1x6x24x31xf32>) {
  ^bb0(%s: f32, %m: f32, %old: f32):
    %r = arith.addf %s, %m : f32
    linalg.yield %r : f32
  } -> tensor<1x6x24x31xf32>
  return %masked : tensor<1x6x24x31xf32>
}
