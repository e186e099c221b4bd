// RUN: trn-opt %s --trn-print-program -o /dev/null | FileCheck %s

#sbuf = #trn.mem<sbuf>

// The HBM side of a folded block: partition p of tile t holds row 128 * t + p.
// CHECK-LABEL: program @folded_block
// CHECK: load dma_copy b1[0:128, 0; 4:64, 64:1] <- b0[0; 128:256, 4:32768, 64:1]
func.func private @folded_block(%x: memref<512x256xbf16>) attributes {trn.kernel} {
  %block = memref.subview %x[0, 0] [512, 64] [1, 1]
      : memref<512x256xbf16> to memref<512x64xbf16, strided<[256, 1]>>
  %tiles = memref.expand_shape %block [[0, 1], [2]] output_shape [4, 128, 64]
      : memref<512x64xbf16, strided<[256, 1]>> into memref<4x128x64xbf16, strided<[32768, 256, 1]>>
  %rows = memref.transpose %tiles (t, p, c) -> (p, t, c)
      : memref<4x128x64xbf16, strided<[32768, 256, 1]>>
      to memref<128x4x64xbf16, strided<[256, 32768, 1]>>
  %tile = trn.alloc offset 0 : memref<128x4x64xbf16, #sbuf>
  trn.dma_copy %rows to %tile : memref<128x4x64xbf16, strided<[256, 32768, 1]>> to memref<128x4x64xbf16, #sbuf>
  return
}

// Dims that are contiguous on both sides become one.
// CHECK-LABEL: program @contiguous
// CHECK: load dma_copy b1[0:16, 0; 96:1] <- b0[0; 16:96, 96:1]
func.func private @contiguous(%x: memref<16x4x24xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<16x4x24xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<16x4x24xf32> to memref<16x4x24xf32, #sbuf>
  return
}

// CHECK-LABEL: program @hbm_to_hbm
// CHECK: store dma_copy b1[0; 1536:1] <- b0[0; 1536:1]
func.func private @hbm_to_hbm(%x: memref<16x4x24xf32>, %y: memref<16x4x24xf32> {trn.result})
    attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<16x4x24xf32> to memref<16x4x24xf32>
  return
}

// The offset of a reinterpret_cast counts from the start of the buffer.
// CHECK-LABEL: program @reinterpret
// CHECK: load dma_copy b1[0:8, 0; 16:1] <- b0[5; 8:100, 16:2]
func.func private @reinterpret(%x: memref<1000xf32>) attributes {trn.kernel} {
  %part = memref.subview %x[100] [900] [1]
      : memref<1000xf32> to memref<900xf32, strided<[1], offset: 100>>
  %view = memref.reinterpret_cast %part to offset: [5], sizes: [8, 16], strides: [100, 2]
      : memref<900xf32, strided<[1], offset: 100>> to memref<8x16xf32, strided<[100, 2], offset: 5>>
  %tile = trn.alloc offset 0 : memref<8x16xf32, #sbuf>
  trn.dma_copy %view to %tile : memref<8x16xf32, strided<[100, 2], offset: 5>> to memref<8x16xf32, #sbuf>
  return
}

// On chip, offset and strides count the elements of all partitions: those of a
// row of 64 are a step to the next partition.
// CHECK-LABEL: program @reinterpreted_tile
// CHECK: loop i0 < 2 {
// CHECK: vector tensor_copy b1[0:64, 0; 2:16, 16:1] <- b0[32 + 32*i0:64, 4 + 8*i0; 2:0, 16:2]
func.func private @reinterpreted_tile() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  %to = trn.alloc offset 256 : memref<64x32xf32, #sbuf>
  scf.for %i = %c0 to %c2 step %c1 {
    %offset = affine.apply affine_map<(i) -> (32 * 64 + 4 + i * 2056)>(%i)
    %view = memref.reinterpret_cast %tile to offset: [%offset], sizes: [64, 2, 16], strides: [64, 0, 2]
        : memref<128x64xf32, #sbuf> to memref<64x2x16xf32, strided<[64, 0, 2], offset: ?>, #sbuf>
    %split = memref.expand_shape %to [[0], [1, 2]] output_shape [64, 2, 16]
        : memref<64x32xf32, #sbuf> into memref<64x2x16xf32, #sbuf>
    trn.tensor_copy %view into %split : memref<64x2x16xf32, strided<[64, 0, 2], offset: ?>, #sbuf> to memref<64x2x16xf32, #sbuf>
  }
  return
}

// CHECK-LABEL: program @reinterpreted_row
// CHECK: vector memset b0[5:1, 7; 3:1] <- 0
func.func private @reinterpreted_row() attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  %row = memref.reinterpret_cast %tile to offset: [327], sizes: [1, 3], strides: [1, 1]
      : memref<128x64xf32, #sbuf> to memref<1x3xf32, strided<[1, 1], offset: 327>, #sbuf>
  trn.memset %row, 0.0 : memref<1x3xf32, strided<[1, 1], offset: 327>, #sbuf>
  return
}

// A view on chip moves through partitions and through the free dimension.
// CHECK-LABEL: program @partitions
// CHECK: loop i0 < 2 {
// CHECK: load dma_copy b1[64*i0:64, 3; 4:8]
func.func private @partitions(%x: memref<64x4x1xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %tile = trn.alloc offset 0 : memref<128x4x8xf32, #sbuf>
  scf.for %p = %c0 to %c128 step %c64 {
    %part = memref.subview %tile[%p, 0, 3] [64, 4, 1] [1, 1, 1]
        : memref<128x4x8xf32, #sbuf> to memref<64x4x1xf32, strided<[32, 8, 1], offset: ?>, #sbuf>
    trn.dma_copy %x to %part : memref<64x4x1xf32> to memref<64x4x1xf32, strided<[32, 8, 1], offset: ?>, #sbuf>
  }
  return
}

// CHECK-LABEL: program @reshaped_tile
// CHECK: load dma_copy b1[0:64, 0; 32:1] <- b0[0; 64:32, 32:1]
func.func private @reshaped_tile(%x: memref<64x32xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<64x4x8xf32, #sbuf>
  %flat = memref.collapse_shape %tile [[0], [1, 2]]
      : memref<64x4x8xf32, #sbuf> into memref<64x32xf32, #sbuf>
  trn.dma_copy %x to %flat : memref<64x32xf32> to memref<64x32xf32, #sbuf>
  return
}

// One row of one tile: the type does not tell which of two dimensions of size
// one was dropped, but the partition stays.
// CHECK-LABEL: program @one_row
// CHECK: load dma_copy b1[32:1, 64; 64:1] <- b0
func.func private @one_row(%x: memref<1x64xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x2x64xf32, #sbuf>
  %row = memref.subview %tile[32, 1, 0] [1, 1, 64] [1, 1, 1]
      : memref<128x2x64xf32, #sbuf> to memref<1x64xf32, strided<[64, 1], offset: 4160>, #sbuf>
  trn.dma_copy %x to %row : memref<1x64xf32> to memref<1x64xf32, strided<[64, 1], offset: 4160>, #sbuf>
  return
}

// The stride of the dimension that stays is the op's own.
// CHECK-LABEL: program @own_stride
// CHECK: load dma_copy b1[0:96, 0; 1:1] <- b0[0; 96:1, 1:1]
func.func private @own_stride(%x: memref<96x1xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<96x2x1xf32, #sbuf>
  %column = memref.subview %tile[0, 0, 0] [96, 1, 1] [1, 1, 3]
      : memref<96x2x1xf32, #sbuf> to memref<96x1xf32, strided<[2, 3]>, #sbuf>
  trn.dma_copy %x to %column : memref<96x1xf32> to memref<96x1xf32, strided<[2, 3]>, #sbuf>
  return
}
