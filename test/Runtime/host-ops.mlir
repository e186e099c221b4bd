// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(12, dtype='float16').reshape(3, 4) / 8)"
// RUN: trn-run %s --arg=@%t.npy --out=@%t.out.npy
// RUN: %python -c "import numpy; x = numpy.load(r'%t.npy').astype('float32'); \
// RUN:   s = numpy.exp(x) / numpy.exp(x).sum(axis=1, keepdims=True); \
// RUN:   y = numpy.load(r'%t.out.npy').astype('float32'); \
// RUN:   print('close:', numpy.allclose(y, numpy.concatenate([s, x]), atol=1e-3))" | FileCheck %s

// Ops that upstream bufferization does not take as they are, in f16.
// CHECK: close: True

func.func private @copy(%x: memref<6x4xf16>, %y: memref<6x4xf16> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<6x4xf16, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<6x4xf16> to memref<6x4xf16, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<6x4xf16, #trn.mem<sbuf>> to memref<6x4xf16>
  return
}

func.func @main(%x: tensor<3x4xf16>) -> tensor<6x4xf16> {
  %empty = tensor.empty() : tensor<3x4xf16>
  %softmax = linalg.softmax dimension(1) ins(%x : tensor<3x4xf16>)
      outs(%empty : tensor<3x4xf16>) -> tensor<3x4xf16>
  %both = tensor.concat dim(0) %softmax, %x
      : (tensor<3x4xf16>, tensor<3x4xf16>) -> tensor<6x4xf16>
  %in = bufferization.to_buffer %both read_only : tensor<6x4xf16> to memref<6x4xf16>
  %out = memref.alloc() : memref<6x4xf16>
  call @copy(%in, %out) : (memref<6x4xf16>, memref<6x4xf16>) -> ()
  %y = bufferization.to_tensor %out restrict writable : memref<6x4xf16> to tensor<6x4xf16>
  return %y : tensor<6x4xf16>
}
