// A product of integers stays on the host, and a remark says why.
// RUN: trn-opt %s --trn-compile --remark-format=emitRemark --remarks-filter=trn-outline-kernels \
// RUN:     -o /dev/null 2>&1 | FileCheck %s

// CHECK: the tensor engine

func.func @main(%x: tensor<64x64xi8>, %w: tensor<64x64xi8>, %sums: tensor<64x64xi32>)
    -> tensor<64x64xi32> {
  %o = linalg.matmul ins(%x, %w : tensor<64x64xi8>, tensor<64x64xi8>)
      outs(%sums : tensor<64x64xi32>) -> tensor<64x64xi32>
  return %o : tensor<64x64xi32>
}
