// Scores as torch-mlir writes them: heads move to the front, products have three dimensions, and
// the scale and a mask that all heads share follow on four.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(b, h, s, t) -> (b, h, s, t)>
#mask = affine_map<(b, h, s, t) -> (b, 0, s, t)>

func.func @main(%q: tensor<2x24x3x16xbf16>, %k: tensor<2x31x3x16xbf16>, %mask: tensor<2x1x24x31xbf16>) -> tensor<2x3x24x31xbf16> {
  %q_empty = tensor.empty() : tensor<2x3x24x16xbf16>
  %qt = linalg.transpose ins(%q : tensor<2x24x3x16xbf16>) outs(%q_empty : tensor<2x3x24x16xbf16>) permutation = [0, 2, 1, 3]
  %k_empty = tensor.empty() : tensor<2x3x16x31xbf16>
  %kt = linalg.transpose ins(%k : tensor<2x31x3x16xbf16>) outs(%k_empty : tensor<2x3x16x31xbf16>) permutation = [0, 2, 3, 1]
  %q3 = tensor.collapse_shape %qt [[0, 1], [2], [3]] : tensor<2x3x24x16xbf16> into tensor<6x24x16xbf16>
  %k3 = tensor.collapse_shape %kt [[0, 1], [2], [3]] : tensor<2x3x16x31xbf16> into tensor<6x16x31xbf16>
  %zeros = arith.constant dense<0.0> : tensor<6x24x31xf32>
  %sums = linalg.batch_matmul ins(%q3, %k3 : tensor<6x24x16xbf16>, tensor<6x16x31xbf16>) outs(%zeros : tensor<6x24x31xf32>) -> tensor<6x24x31xf32>
  %rounded = arith.truncf %sums : tensor<6x24x31xf32> to tensor<6x24x31xbf16>
  %scores = tensor.expand_shape %rounded [[0, 1], [2], [3]] output_shape [2, 3, 24, 31] : tensor<6x24x31xbf16> into tensor<2x3x24x31xbf16>
  %empty = tensor.empty() : tensor<2x3x24x31xbf16>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scores : tensor<2x3x24x31xbf16>) outs(%empty : tensor<2x3x24x31xbf16>) {
  ^bb0(%s: bf16, %old: bf16):
    %scale = arith.constant 0.25 : bf16
    %r = arith.mulf %s, %scale : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x24x31xbf16>
  %masked = linalg.generic {indexing_maps = [#id, #mask, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%scaled, %mask : tensor<2x3x24x31xbf16>, tensor<2x1x24x31xbf16>) outs(%empty : tensor<2x3x24x31xbf16>) {
  ^bb0(%s: bf16, %m: bf16, %old: bf16):
    %r = arith.addf %s, %m : bf16
    linalg.yield %r : bf16
  } -> tensor<2x3x24x31xbf16>
  return %masked : tensor<2x3x24x31xbf16>
}
