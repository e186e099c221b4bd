// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(12, dtype='float32').reshape(3, 4))"
// RUN: trn-run %s --arg=@%t.npy --out=@%t.out.npy
// RUN: %python -c "import numpy; print(numpy.load(r'%t.out.npy').tolist())" | FileCheck %s

// Host code before and after a kernel, with a strided view, a loop with a
// carried tensor and a result that is an input at the same time.

// (2 * x)^T, then 3 times + 1.
// CHECK: {{\[\[}}3.0, 11.0, 19.0], [5.0, 13.0, 21.0], [7.0, 15.0, 23.0], [9.0, 17.0, 25.0]]

func.func private @copy(%x: memref<4x3xf32>, %y: memref<4x3xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x3xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x3xf32> to memref<4x3xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x3xf32, #trn.mem<sbuf>> to memref<4x3xf32>
  return
}

func.func private @kernel(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %in = bufferization.to_buffer %x read_only : tensor<4x3xf32> to memref<4x3xf32>
  %out = memref.alloc() : memref<4x3xf32>
  call @copy(%in, %out) : (memref<4x3xf32>, memref<4x3xf32>) -> ()
  %y = bufferization.to_tensor %out restrict writable : memref<4x3xf32> to tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

func.func @main(%x: tensor<3x4xf32>) -> tensor<4x3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %twice = arith.addf %x, %x : tensor<3x4xf32>
  %empty = tensor.empty() : tensor<4x3xf32>
  %turned = linalg.transpose ins(%twice : tensor<3x4xf32>) outs(%empty : tensor<4x3xf32>)
      permutation = [1, 0]
  %copied = call @kernel(%turned) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %ones = arith.constant dense<1.0> : tensor<4x3xf32>
  %sum = scf.for %i = %c0 to %c3 step %c1 iter_args(%value = %copied) -> tensor<4x3xf32> {
    %next = arith.addf %value, %ones : tensor<4x3xf32>
    %kept = func.call @kernel(%next) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    scf.yield %kept : tensor<4x3xf32>
  }
  return %sum : tensor<4x3xf32>
}
