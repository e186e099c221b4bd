// What the chain computes is what another library computes of the same inputs.
// RUN: trn-run %s --compile --verify

#transposed = affine_map<(d0, d1, d2) -> (d2, d0)>
#plain = affine_map<(d0, d1, d2) -> (d2, d1)>
#result = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @main(%x: tensor<1024x512xbf16>, %u: tensor<1024x256xbf16>, %v: tensor<256x2048xbf16>)
    -> tensor<512x2048xbf16> {
  %zero = arith.constant 0.0 : f32
  %y0 = tensor.empty() : tensor<512x256xf32>
  %y1 = linalg.fill ins(%zero : f32) outs(%y0 : tensor<512x256xf32>) -> tensor<512x256xf32>
  %y2 = linalg.matmul indexing_maps = [#transposed, #plain, #result]
      ins(%x, %u : tensor<1024x512xbf16>, tensor<1024x256xbf16>)
      outs(%y1 : tensor<512x256xf32>) -> tensor<512x256xf32>
  %y = arith.truncf %y2 : tensor<512x256xf32> to tensor<512x256xbf16>
  %o0 = tensor.empty() : tensor<512x2048xf32>
  %o1 = linalg.fill ins(%zero : f32) outs(%o0 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %o2 = linalg.matmul ins(%y, %v : tensor<512x256xbf16>, tensor<256x2048xbf16>)
      outs(%o1 : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %o = arith.truncf %o2 : tensor<512x2048xf32> to tensor<512x2048xbf16>
  return %o : tensor<512x2048xbf16>
}
