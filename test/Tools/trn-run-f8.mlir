// Floats of eight bits are bytes in files, which host code may move.
// RUN: %python -c "import numpy as np; np.save('%t.npy', np.array([[0x38, 0x40, 1], [0xb8, 0x30, 2]], dtype=np.uint8).view(np.int8))"
// RUN: trn-run %s --compile --arg=@%t.npy --arg=random:1 --arg=random:2 --arg=random:3 --out=@%t.o.npy --out=@%t.p.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.o.npy') == np.load('%t.npy').T).all()"

func.func @main(%x: tensor<2x3xf8E4M3FN>, %y: tensor<2xf8E5M2>, %a: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<3x2xf8E4M3FN>, tensor<8x6xf32>) {
  %empty = tensor.empty() : tensor<3x2xf8E4M3FN>
  %o = linalg.transpose ins(%x : tensor<2x3xf8E4M3FN>) outs(%empty : tensor<3x2xf8E4M3FN>) permutation = [1, 0]
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %p = linalg.matmul ins(%a, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o, %p : tensor<3x2xf8E4M3FN>, tensor<8x6xf32>
}
