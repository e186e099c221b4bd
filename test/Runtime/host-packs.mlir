// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.arange(24, dtype='float32').reshape(6, 4))"
// RUN: trn-run %s --arg=@%t.npy --out=@%t.packed.npy --out=@%t.back.npy
// RUN: %python -c "import numpy; x = numpy.load(r'%t.npy'); p = numpy.pad(x, ((0, 2), (0, 0)), constant_values=7); \
// RUN:   print('right:', (numpy.load(r'%t.packed.npy') == p.reshape(2, 4, 2, 2).transpose(0, 2, 3, 1)).all(), \
// RUN:         (numpy.load(r'%t.back.npy') == x).all())" | FileCheck %s

// Tiles of other compilers, which bufferization does not know, run on the host.
// CHECK: right: True True

func.func private @copy(%x: memref<6x4xf32>, %y: memref<6x4xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<6x4xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<6x4xf32> to memref<6x4xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<6x4xf32, #trn.mem<sbuf>> to memref<6x4xf32>
  return
}

func.func @main(%x: tensor<6x4xf32>) -> (tensor<2x2x2x4xf32>, tensor<6x4xf32>) {
  %in = bufferization.to_buffer %x read_only : tensor<6x4xf32> to memref<6x4xf32>
  %out = memref.alloc() : memref<6x4xf32>
  call @copy(%in, %out) : (memref<6x4xf32>, memref<6x4xf32>) -> ()
  %y = bufferization.to_tensor %out restrict : memref<6x4xf32> to tensor<6x4xf32>
  %seven = arith.constant 7.0 : f32
  %tiles = tensor.empty() : tensor<2x2x2x4xf32>
  %packed = linalg.pack %y padding_value(%seven : f32) inner_dims_pos = [1, 0] inner_tiles = [2, 4]
      into %tiles : tensor<6x4xf32> -> tensor<2x2x2x4xf32>
  %rows = tensor.empty() : tensor<6x4xf32>
  %back = linalg.unpack %packed inner_dims_pos = [1, 0] inner_tiles = [2, 4]
      into %rows : tensor<2x2x2x4xf32> -> tensor<6x4xf32>
  return %packed, %back : tensor<2x2x2x4xf32>, tensor<6x4xf32>
}
