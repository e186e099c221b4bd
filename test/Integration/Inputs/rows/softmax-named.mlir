// Softmax of named ops; its scaling is a reciprocal and a product.
func.func @main(%x: tensor<128x256xbf16>) -> tensor<128x256xbf16> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %re = tensor.empty() : tensor<128xf32>
  %w = arith.extf %x : tensor<128x256xbf16> to tensor<128x256xf32>
  %l = linalg.fill ins(%low : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %max = linalg.reduce { arith.maximumf } ins(%w : tensor<128x256xf32>) outs(%l : tensor<128xf32>) dimensions = [1]
  %maxs = linalg.broadcast ins(%max : tensor<128xf32>) outs(%e : tensor<128x256xf32>) dimensions = [1]
  %d = linalg.sub ins(%w, %maxs : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %p = linalg.exp ins(%d : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %sum = linalg.reduce { arith.addf } ins(%p : tensor<128x256xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
  %inv = linalg.reciprocal ins(%sum : tensor<128xf32>) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %invs = linalg.broadcast ins(%inv : tensor<128xf32>) outs(%e : tensor<128x256xf32>) dimensions = [1]
  %y = linalg.mul ins(%p, %invs : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %o = arith.truncf %y : tensor<128x256xf32> to tensor<128x256xbf16>
  return %o : tensor<128x256xbf16>
}
