// VectorE adds and GpSimd copies within SBUF, which they cannot do at the same
// time on trn1.
#sbuf = #trn.mem<sbuf>
module {
  func.func private @kernel(%x: memref<128x1024xf32>, %y: memref<128x1024xf32> {trn.result}, %z: memref<128x1024xf32> {trn.result}) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %in = trn.alloc offset 0 : memref<128x1024xf32, #sbuf>
    %sum = trn.alloc offset 4096 : memref<128x1024xf32, #sbuf>
    %copy = trn.alloc offset 8192 : memref<128x1024xf32, #sbuf>
    trn.dma_copy %x to %in : memref<128x1024xf32> to memref<128x1024xf32, #sbuf>
    scf.for %i = %c0 to %c64 step %c1 {
      trn.tensor_tensor add(%in : memref<128x1024xf32, #sbuf>, %in : memref<128x1024xf32, #sbuf>) into %sum : memref<128x1024xf32, #sbuf> on vector
      trn.tensor_copy %in into %copy : memref<128x1024xf32, #sbuf> to memref<128x1024xf32, #sbuf> on gpsimd
    }
    trn.dma_copy %sum to %y : memref<128x1024xf32, #sbuf> to memref<128x1024xf32>
    trn.dma_copy %copy to %z : memref<128x1024xf32, #sbuf> to memref<128x1024xf32>
    trn.dealloc %in : memref<128x1024xf32, #sbuf>
    trn.dealloc %sum : memref<128x1024xf32, #sbuf>
    trn.dealloc %copy : memref<128x1024xf32, #sbuf>
    return
  }
}
