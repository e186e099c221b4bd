// linalg.softmax of rows in three dimensions, between a scale and a rounding.
#id = affine_map<(h, i, j) -> (h, i, j)>
func.func @main(%x: tensor<4x64x128xbf16>) -> tensor<4x64x128xbf16> {
  %e = tensor.empty() : tensor<4x64x128xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x64x128xbf16>) outs(%e : tensor<4x64x128xf32>) {
  ^bb0(%a: bf16, %old: f32):
    %scale = arith.constant 0.125 : f32
    %w = arith.extf %a : bf16 to f32
    %r = arith.mulf %w, %scale : f32
    linalg.yield %r : f32
  } -> tensor<4x64x128xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<4x64x128xf32>) outs(%e : tensor<4x64x128xf32>) -> tensor<4x64x128xf32>
  %o = arith.truncf %p : tensor<4x64x128xf32> to tensor<4x64x128xbf16>
  return %o : tensor<4x64x128xbf16>
}
