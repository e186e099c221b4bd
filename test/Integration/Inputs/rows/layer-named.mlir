// LayerNorm without gain and bias in f16, of named ops; the variance is divided by, under a square root.
func.func @main(%x: tensor<128x256xf16>) -> tensor<128x256xf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %re = tensor.empty() : tensor<128xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %w = arith.extf %x : tensor<128x256xf16> to tensor<128x256xf32>
  %sum = linalg.reduce { arith.addf } ins(%w : tensor<128x256xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
  %n = arith.constant dense<2.56e+02> : tensor<128xf32>
  %mean = arith.divf %sum, %n : tensor<128xf32>
  %means = linalg.broadcast ins(%mean : tensor<128xf32>) outs(%e : tensor<128x256xf32>) dimensions = [1]
  %d = arith.subf %w, %means : tensor<128x256xf32>
  %sq = arith.mulf %d, %d : tensor<128x256xf32>
  %sums = linalg.reduce { arith.addf } ins(%sq : tensor<128x256xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
  %var = arith.divf %sums, %n : tensor<128xf32>
  %eps = arith.constant dense<1.0e-5> : tensor<128xf32>
  %v = arith.addf %var, %eps : tensor<128xf32>
  %std = math.sqrt %v : tensor<128xf32>
  %stds = linalg.broadcast ins(%std : tensor<128xf32>) outs(%e : tensor<128x256xf32>) dimensions = [1]
  %y = arith.divf %d, %stds : tensor<128x256xf32>
  %o = arith.truncf %y : tensor<128x256xf32> to tensor<128x256xf16>
  return %o : tensor<128x256xf16>
}
