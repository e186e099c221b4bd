// O = relu(X * W) in linalg on tensors, for the compiler.
#xt = affine_map<(m, n, k) -> (k, m)>
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>
func.func @main(%xt: tensor<256x512xbf16>, %w: tensor<256x1024xbf16>) -> tensor<512x1024xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<512x1024xf32>
  %sums = linalg.matmul indexing_maps = [#xt, #w, #o]
      ins(%xt, %w : tensor<256x512xbf16>, tensor<256x1024xbf16>)
      outs(%zeros : tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %relu = arith.maximumf %sums, %zeros : tensor<512x1024xf32>
  %o = arith.truncf %relu : tensor<512x1024xf32> to tensor<512x1024xbf16>
  return %o : tensor<512x1024xbf16>
}
