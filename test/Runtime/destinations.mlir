// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(32, dtype='float32').reshape(4, 8))"
// RUN: trn-run %s --arg=@%t.npy --arg=zeros --out=@%t.all.npy --out=@%t.part.npy --out=@%t.kept.npy
// RUN: %python -c "import numpy; x = numpy.load(r'%t.npy'); load = lambda n: numpy.load(r'%t.' + n + '.npy'); \
// RUN:   print('right:', (load('all') == x).all(), (load('part') == x[:2]).all(), (load('kept') == 0).all())" | FileCheck %s

// A tensor that the run is given keeps its values, also where something is to be materialized
// in it.
// CHECK: right: True True True

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
  return
}

func.func @main(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>)
    -> (tensor<4x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %y = bufferization.to_tensor %out restrict : memref<4x8xf32> to tensor<4x8xf32>
  %all = bufferization.materialize_in_destination %y in %o
      : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %upper = tensor.extract_slice %y[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %place = tensor.extract_slice %o[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %part = bufferization.materialize_in_destination %upper in %place
      : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  return %all, %part, %o : tensor<4x8xf32>, tensor<2x8xf32>, tensor<4x8xf32>
}
