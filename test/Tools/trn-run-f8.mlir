// Weights of e4m3 are floats in files; other floats of eight bits are bytes, which host code may move.
// RUN: %python -c "import numpy as np; np.save('%t.x.npy', np.array([[1, 2, 2**-9], [-1, 0.5, 240]], '<f4'))"
// RUN: %python -c "import numpy as np; np.save('%t.y.npy', np.array([[0x38, 0x40, 1], [0xb8, 0x30, 2]], 'u1').view('i1'))"
// RUN: trn-run %s --compile=effort=1 --arg=@%t.x.npy --arg=@%t.y.npy --arg=random:2 --arg=random:3 --out=@%t.o.npy --out=@%t.q.npy --out=@%t.p.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.o.npy') == np.load('%t.x.npy').T).all()"
// RUN: %python -c "import numpy as np; assert (np.load('%t.q.npy') == np.load('%t.y.npy').T).all()"

func.func @main(%x: tensor<2x3xf8E4M3FN>, %y: tensor<2x3xf8E5M2>, %a: tensor<8x4xf32>, %w: tensor<4x6xf32>)
    -> (tensor<3x2xf8E4M3FN>, tensor<3x2xf8E5M2>, tensor<8x6xf32>) {
  %empty = tensor.empty() : tensor<3x2xf8E4M3FN>
  %o = linalg.transpose ins(%x : tensor<2x3xf8E4M3FN>) outs(%empty : tensor<3x2xf8E4M3FN>) permutation = [1, 0]
  %other = tensor.empty() : tensor<3x2xf8E5M2>
  %q = linalg.transpose ins(%y : tensor<2x3xf8E5M2>) outs(%other : tensor<3x2xf8E5M2>) permutation = [1, 0]
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %p = linalg.matmul ins(%a, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o, %q, %p : tensor<3x2xf8E4M3FN>, tensor<3x2xf8E5M2>, tensor<8x6xf32>
}
