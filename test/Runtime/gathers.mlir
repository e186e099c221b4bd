// RUN: %python -c "import numpy as n; n.save(r'%t.x.npy', n.arange(24, dtype='f').reshape(4, 6)); n.save(r'%t.rows.npy', n.array([[3], [0], [3]])); n.save(r'%t.places.npy', n.array([[[5, 1], [0, 0]]])); n.save(r'%t.far.npy', n.array([[4], [0], [1]]))"
// RUN: trn-run %s --arg=@%t.x.npy --arg=@%t.rows.npy --arg=@%t.places.npy --out=@%t.a.npy --out=@%t.b.npy --out=@%t.c.npy
// RUN: %python -c "import numpy as n; [print(n.load(rf'%t.{x}.npy').tolist()) for x in 'abc']" | FileCheck %s
// RUN: not trn-run %s --arg=@%t.x.npy --arg=@%t.far.npy --arg=@%t.places.npy 2>&1 | FileCheck %s --check-prefix=FAR

// Rows, with and without the dimension that is gathered, and elements, with
// the coordinates in another order, in a loop of affine.

// CHECK: {{\[\[}}18.0, 19.0, 20.0, 21.0, 22.0, 23.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [18.0, 19.0, 20.0, 21.0, 22.0, 23.0]]
// CHECK: {{\[\[\[}}18.0, 19.0, 20.0, 21.0, 22.0, 23.0]], {{\[\[}}0.0, 1.0, 2.0, 3.0, 4.0, 5.0]], {{\[\[}}18.0, 19.0, 20.0, 21.0, 22.0, 23.0]]]
// CHECK: {{\[\[}}88.0, 0.0]]

// FAR: gathers.mlir:[[# @LINE + 15]]:8: error: 'memref.load' op fails: out-of-bounds access of memref<4x6xf32>

func.func private @copy(%x: memref<4x6xf32>, %y: memref<4x6xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x6xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x6xf32> to memref<4x6xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x6xf32, #trn.mem<sbuf>> to memref<4x6xf32>
  return
}

func.func @main(%given: tensor<4x6xf32>, %rows: tensor<3x1xindex>, %places: tensor<1x2x2xi32>)
    -> (tensor<3x6xf32>, tensor<3x1x6xf32>, tensor<1x2xf32>) {
  %in = bufferization.to_buffer %given read_only : tensor<4x6xf32> to memref<4x6xf32>
  %out = memref.alloc() : memref<4x6xf32>
  call @copy(%in, %out) : (memref<4x6xf32>, memref<4x6xf32>) -> ()
  %x = bufferization.to_tensor %out restrict writable : memref<4x6xf32> to tensor<4x6xf32>
  %a = tensor.gather %x[%rows] gather_dims([0]) : (tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<3x6xf32>
  %b = tensor.gather %x[%rows] gather_dims([0]) : (tensor<4x6xf32>, tensor<3x1xindex>) -> tensor<3x1x6xf32>
  %turned = tensor.empty() : tensor<6x4xf32>
  %xt = linalg.transpose ins(%x : tensor<4x6xf32>) outs(%turned : tensor<6x4xf32>) permutation = [1, 0]
  %elements = tensor.gather %xt[%places] gather_dims([0, 1]) : (tensor<6x4xf32>, tensor<1x2x2xi32>) -> tensor<1x2xf32>
  // 11 * 8
  %c = affine.for %i = 0 to 3 iter_args(%sum = %elements) -> tensor<1x2xf32> {
    %twice = arith.addf %sum, %sum : tensor<1x2xf32>
    affine.yield %twice : tensor<1x2xf32>
  }
  return %a, %b, %c : tensor<3x6xf32>, tensor<3x1x6xf32>, tensor<1x2xf32>
}
