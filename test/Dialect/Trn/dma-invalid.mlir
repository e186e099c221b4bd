// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here as 'memref<128x256xbf16, #trn.mem<sbuf>>'}}
func.func @dma_copy_c1__different_shapes(%x: memref<128x512xbf16>, %tile: memref<128x256xbf16, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x512 and 128x256}}
  trn.dma_copy %x to %tile : memref<128x512xbf16> to memref<128x256xbf16, #sbuf>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @transfer_c1__copy_from_psum(%sums: memref<128x512xf32, #psum>, %y: memref<128x512xf32>) {
  // expected-error @below {{operand #0 must be a static memref in hbm or sbuf with 1 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN, but got 'memref<128x512xf32, #trn.mem<psum>>'}}
  trn.dma_copy %sums to %y : memref<128x512xf32, #psum> to memref<128x512xf32>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @transfer_c1__copy_to_psum(%x: memref<128x512xf32>, %sums: memref<128x512xf32, #psum>) {
  // expected-error @below {{operand #1 must be a static memref in hbm or sbuf}}
  trn.dma_copy %x to %sums : memref<128x512xf32> to memref<128x512xf32, #psum>
  return
}

// -----

func.func @transfer_c1__copy_dynamic_strides(%x: memref<128x512xf32, strided<[?, 1]>>, %y: memref<128x512xf32>) {
  // expected-error @below {{operand #0 must be a static memref in hbm or sbuf}}
  trn.dma_copy %x to %y : memref<128x512xf32, strided<[?, 1]>> to memref<128x512xf32>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_transpose_c1__not_transposed(%x: memref<64x128xbf16>, %tile: memref<64x128xbf16, #sbuf>) {
  // expected-error @below {{dst must be 128x64, the transposed shape of src, but is 64x128}}
  trn.dma_transpose %x to %tile : memref<64x128xbf16> to memref<64x128xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_transpose_c2__converts(%x: memref<64x128xbf16>, %tile: memref<128x64xf16, #sbuf>) {
  // expected-error @below {{src and dst must have the same element type, but are 'bf16' and 'f16'; a transposing transfer does not convert}}
  trn.dma_transpose %x to %tile : memref<64x128xbf16> to memref<128x64xf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_transpose_c3__four_bytes(%x: memref<64x128xf32>, %tile: memref<128x64xf32, #sbuf>) {
  // expected-error @below {{moves elements of 2 bytes, but src has elements of 4 bytes (f32); transpose on the tensor engine instead}}
  trn.dma_transpose %x to %tile : memref<64x128xf32> to memref<128x64xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @transfer_c1__transpose_three_dimensions(%x: memref<2x64x128xbf16>, %tile: memref<128x64x2xbf16, #sbuf>) {
  // expected-error @below {{operand #0 must be a static 2-D memref in hbm or sbuf of bf16, f16 or f32}}
  trn.dma_transpose %x to %tile : memref<2x64x128xbf16> to memref<128x64x2xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here as 'memref<64x128xf32, #trn.mem<sbuf>>'}}
func.func @dma_gather_c1__wider_rows(%x: memref<500x256xf32>, %i: memref<64x1xi32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{rows of src are 256, but partitions of dst are 128}}
  trn.dma_gather %x[%i] to %tile : memref<500x256xf32>[memref<64x1xi32, #sbuf>] to memref<64x128xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{indices is defined here}}
func.func @dma_gather_c2__two_columns(%x: memref<500x128xf32>, %i: memref<64x2xi32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{indices must hold one value for each of the 64 partitions of dst (64x1), but is 64x2}}
  trn.dma_gather %x[%i] to %tile : memref<500x128xf32>[memref<64x2xi32, #sbuf>] to memref<64x128xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_gather_c3__too_many_partitions(%x: memref<500x8xf32>, %i: memref<200x1xi32, #sbuf>, %tile: memref<200x8xf32, #sbuf>) {
  // expected-error @below {{dst has 200 partitions, but at most 128 are allowed; split it into tiles}}
  trn.dma_gather %x[%i] to %tile : memref<500x8xf32>[memref<200x1xi32, #sbuf>] to memref<200x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @indices_c1__floats(%x: memref<500x128xf32>, %i: memref<64x1xf32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{operand #1 must be a static memref in sbuf with 2 to 5 dimensions of i32 or ui32}}
  trn.dma_gather %x[%i] to %tile : memref<500x128xf32>[memref<64x1xf32, #sbuf>] to memref<64x128xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{src is defined here}}
func.func @dma_scatter_c1__other_dimensions(%x: memref<500x32xf32>, %i: memref<64x1xui32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{rows of dst are 32, but partitions of src are 128}}
  trn.dma_scatter %tile to %x[%i] : memref<64x128xf32, #sbuf> to memref<500x32xf32>[memref<64x1xui32, #sbuf>]
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{indices is defined here}}
func.func @dma_scatter_c2__other_partitions(%x: memref<500x128xf32>, %i: memref<32x1xui32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{indices must hold one value for each of the 64 partitions of src (64x1), but is 32x1}}
  trn.dma_scatter %tile to %x[%i] : memref<64x128xf32, #sbuf> to memref<500x128xf32>[memref<32x1xui32, #sbuf>]
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_scatter_c3__too_many_partitions(%x: memref<500x8xf32>, %i: memref<200x1xi32, #sbuf>, %tile: memref<200x8xf32, #sbuf>) {
  // expected-error @below {{src has 200 partitions, but at most 128 are allowed}}
  trn.dma_scatter %tile to %x[%i] : memref<200x8xf32, #sbuf> to memref<500x8xf32>[memref<200x1xi32, #sbuf>]
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @dma_gather_c1__block_of_another_size(%x: memref<8x64x256xf32>, %i: memref<1x1xi32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{rows of src are 64x256, but dst is 64x128}}
  trn.dma_gather %x[%i] to %tile : memref<8x64x256xf32>[memref<1x1xi32, #sbuf>] to memref<64x128xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @dma_gather_c2__two_blocks(%x: memref<8x64x128xf32>, %i: memref<2x1xi32, #sbuf>, %tile: memref<64x128xf32, #sbuf>) {
  // expected-error @below {{indices must hold one value, which chooses a block for all partitions of dst, but has 2}}
  trn.dma_gather %x[%i] to %tile : memref<8x64x128xf32>[memref<2x1xi32, #sbuf>] to memref<64x128xf32, #sbuf>
  return
}

// -----

func.func @dma_gather_c4__rows_to_hbm(%x: memref<100x32xf32>, %i: memref<16x1xi32, #trn.mem<sbuf>>, %y: memref<16x32xf32>) {
  // expected-error @below {{dst is in hbm, which has no partitions to choose rows for; go through a tile in sbuf, or choose all of it by one index}}
  trn.dma_gather %x[%i] to %y : memref<100x32xf32>[memref<16x1xi32, #trn.mem<sbuf>>] to memref<16x32xf32>
  return
}

// -----

func.func @dma_scatter_c4__rows_from_hbm(%x: memref<16x32xf32>, %i: memref<16x1xi32, #trn.mem<sbuf>>, %y: memref<100x32xf32>) {
  // expected-error @below {{src is in hbm, which has no partitions to choose rows for}}
  trn.dma_scatter %x to %y[%i] : memref<16x32xf32> to memref<100x32xf32>[memref<16x1xi32, #trn.mem<sbuf>>]
  return
}
