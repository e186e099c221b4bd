// Queries, keys and values of one weight, told apart behind the transposition that moves heads to the
// front, as vision transformers have them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^  }}launches  {{ *}}1{{$}}
// CHECK-NOT: host_ops
// CHECK: load_ops

#id = affine_map<(b, m, n) -> (b, m, n)>
#bias = affine_map<(b, m, n) -> (n)>
#left = affine_map<(b, h, m, n, k) -> (b, h, m, k)>
#turned = affine_map<(b, h, m, n, k) -> (b, h, n, k)>
#right = affine_map<(b, h, m, n, k) -> (b, h, k, n)>
#out = affine_map<(b, h, m, n, k) -> (b, h, m, n)>
func.func @main(%x: tensor<24x48xf32>, %w: tensor<48x96xf32> {trn.param = "w"}, %bias: tensor<96xf32> {trn.param = "b"}) -> tensor<1x2x24x16xf32> {
  %zeros = arith.constant dense<0.0> : tensor<24x96xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x48xf32>, tensor<48x96xf32>) outs(%zeros : tensor<24x96xf32>) -> tensor<24x96xf32>
  %batch = tensor.expand_shape %y [[0, 1], [2]] output_shape [1, 24, 96] : tensor<24x96xf32> into tensor<1x24x96xf32>
  %empty = tensor.empty() : tensor<1x24x96xf32>
  %qkv = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%batch, %bias : tensor<1x24x96xf32>, tensor<96xf32>) outs(%empty : tensor<1x24x96xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x24x96xf32>
  %parts = tensor.expand_shape %qkv [[0], [1], [2, 3, 4]] output_shape [1, 24, 3, 2, 16] : tensor<1x24x96xf32> into tensor<1x24x3x2x16xf32>
  %parts_empty = tensor.empty() : tensor<3x1x2x24x16xf32>
  %heads = linalg.transpose ins(%parts : tensor<1x24x3x2x16xf32>) outs(%parts_empty : tensor<3x1x2x24x16xf32>) permutation = [2, 0, 3, 1, 4]
  %qh = tensor.extract_slice %heads[0, 0, 0, 0, 0] [1, 1, 2, 24, 16] [1, 1, 1, 1, 1] : tensor<3x1x2x24x16xf32> to tensor<1x2x24x16xf32>
  %kh = tensor.extract_slice %heads[1, 0, 0, 0, 0] [1, 1, 2, 24, 16] [1, 1, 1, 1, 1] : tensor<3x1x2x24x16xf32> to tensor<1x2x24x16xf32>
  %vh = tensor.extract_slice %heads[2, 0, 0, 0, 0] [1, 1, 2, 24, 16] [1, 1, 1, 1, 1] : tensor<3x1x2x24x16xf32> to tensor<1x2x24x16xf32>
  %no_scores = arith.constant dense<0.0> : tensor<1x2x24x24xf32>
  %scores = linalg.contract indexing_maps = [#left, #turned, #out] ins(%qh, %kh : tensor<1x2x24x16xf32>, tensor<1x2x24x16xf32>) outs(%no_scores : tensor<1x2x24x24xf32>) -> tensor<1x2x24x24xf32>
  %scores_empty = tensor.empty() : tensor<1x2x24x24xf32>
  %p = linalg.softmax dimension(3) ins(%scores : tensor<1x2x24x24xf32>) outs(%scores_empty : tensor<1x2x24x24xf32>) -> tensor<1x2x24x24xf32>
  %no_values = arith.constant dense<0.0> : tensor<1x2x24x16xf32>
  %o = linalg.contract indexing_maps = [#left, #right, #out] ins(%p, %vh : tensor<1x2x24x24xf32>, tensor<1x2x24x16xf32>) outs(%no_values : tensor<1x2x24x16xf32>) -> tensor<1x2x24x16xf32>
  return %o : tensor<1x2x24x16xf32>
}
