// RMSNorm in f32 of named ops: linalg.square, reduce, broadcast, mul.
func.func @main(%x: tensor<128x256xf32>, %g: tensor<256xf32>) -> tensor<128x256xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x256xf32>
  %re = tensor.empty() : tensor<128xf32>
  %sq = linalg.square ins(%x : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<128xf32>) -> tensor<128xf32>
  %sum = linalg.reduce { arith.addf } ins(%sq : tensor<128x256xf32>) outs(%z : tensor<128xf32>) dimensions = [1]
  %rstd = linalg.map ins(%sum : tensor<128xf32>) outs(%re : tensor<128xf32>) (%s: f32, %old: f32) {
    %inv = arith.constant 3.906250e-03 : f32
    %eps = arith.constant 1.0e-5 : f32
    %m = arith.mulf %s, %inv : f32
    %a = arith.addf %m, %eps : f32
    %r = math.rsqrt %a : f32
    linalg.yield %r : f32
  }
  %rows = linalg.broadcast ins(%rstd : tensor<128xf32>) outs(%e : tensor<128x256xf32>) dimensions = [1]
  %gains = linalg.broadcast ins(%g : tensor<256xf32>) outs(%e : tensor<128x256xf32>) dimensions = [0]
  %y = linalg.mul ins(%x, %rows : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  %o = linalg.mul ins(%y, %gains : tensor<128x256xf32>, tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %o : tensor<128x256xf32>
}
