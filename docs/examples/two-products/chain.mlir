// A^T is given, as the tensor engine wants it: O = (A * B) * D in f32.
func.func @main(%at: tensor<256x2048xf32>, %b: tensor<256x1024xf32>, %d: tensor<1024x256xf32>)
    -> tensor<2048x256xf32> {
  %zero = arith.constant 0.0 : f32
  %c_empty = tensor.empty() : tensor<2048x1024xf32>
  %c_zero = linalg.fill ins(%zero : f32) outs(%c_empty : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %c = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>,
                       affine_map<(m, n, k) -> (m, n)>]
      ins(%at, %b : tensor<256x2048xf32>, tensor<256x1024xf32>)
      outs(%c_zero : tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
  %o_empty = tensor.empty() : tensor<2048x256xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<2048x256xf32>) -> tensor<2048x256xf32>
  %o = linalg.matmul ins(%c, %d : tensor<2048x1024xf32>, tensor<1024x256xf32>)
      outs(%o_zero : tensor<2048x256xf32>) -> tensor<2048x256xf32>
  return %o : tensor<2048x256xf32>
}
