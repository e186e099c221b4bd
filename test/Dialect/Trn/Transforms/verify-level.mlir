// RUN: trn-opt %s --trn-verify-level=level=virtual -o /dev/null
// RUN: trn-opt %s --trn-verify-level -o /dev/null
// RUN: trn-gen xuv --m 300 --k 200 --r 140 --n 600 --dtype bf16 | trn-opt --trn-outline-kernels --trn-plan-kernels=effort=4 \
// RUN:   --trn-verify-level=level=tensor --trn-lower-kernels \
// RUN:   --trn-verify-level=level=virtual --trn-fold-partitions --trn-multi-buffer --trn-assign-engines \
// RUN:   --trn-verify-level=level=virtual --trn-place-buffers --trn-verify-level=level=placed -o /dev/null

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// A program that keeps all rules: two groups share no bank, sums over k start by overwriting, tiles of 64 partitions
// start at partition 64, and the buffers of two memories may have the same address.
func.func private @product(%w: memref<256x64xbf16>, %x: memref<256x512xbf16>, %y: memref<64x512xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %sums = trn.alloc bank 7 offset 0 : memref<64x512xf32, #psum>
  scf.for %k = %c0 to %c256 step %c128 {
    %w_tile = trn.alloc buffers 2 offset 0 : memref<128x64xbf16, #sbuf>
    %x_tile = trn.alloc buffers 2 offset 256 : memref<128x512xbf16, #sbuf>
    %w_rows = memref.subview %w[%k, 0] [128, 64] [1, 1] : memref<256x64xbf16> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
    %x_rows = memref.subview %x[%k, 0] [128, 512] [1, 1] : memref<256x512xbf16> to memref<128x512xbf16, strided<[512, 1], offset: ?>>
    trn.dma_copy %w_rows to %w_tile : memref<128x64xbf16, strided<[64, 1], offset: ?>> to memref<128x64xbf16, #sbuf>
    trn.dma_copy %x_rows to %x_tile : memref<128x512xbf16, strided<[512, 1], offset: ?>> to memref<128x512xbf16, #sbuf>
    %not_first = arith.cmpi ne, %k, %c0 : index
    trn.matmul stationary(%w_tile : memref<128x64xbf16, #sbuf>) moving(%x_tile : memref<128x512xbf16, #sbuf>)
               into %sums : memref<64x512xf32, #psum> accumulate(%not_first)
  }
  %out = trn.alloc offset 4096 : memref<128x512xf32, #sbuf>
  %lower = memref.subview %out[64, 0] [64, 512] [1, 1] : memref<128x512xf32, #sbuf> to memref<64x512xf32, strided<[512, 1], offset: 32768>, #sbuf>
  trn.tensor_copy %sums into %lower : memref<64x512xf32, #psum> to memref<64x512xf32, strided<[512, 1], offset: 32768>, #sbuf> on vector
  trn.dma_copy %lower to %y : memref<64x512xf32, strided<[512, 1], offset: 32768>, #sbuf> to memref<64x512xf32>
  return
}

// Two tiles share a bank; so do two buffers whose lives are apart.
func.func private @shared_bank() attributes {trn.kernel} {
  %left = trn.alloc bank 0 offset 0 : memref<128x256xf32, #psum>
  %right = trn.alloc bank 0 offset 1024 : memref<128x256xf32, #psum>
  trn.memset %left, 0.0 : memref<128x256xf32, #psum> on vector
  trn.memset %right, 0.0 : memref<128x256xf32, #psum> on vector
  trn.dealloc %left : memref<128x256xf32, #psum>
  trn.dealloc %right : memref<128x256xf32, #psum>
  %whole = trn.alloc bank 0 offset 0 : memref<128x512xf32, #psum>
  trn.memset %whole, 0.0 : memref<128x512xf32, #psum> on vector
  return
}

func.func private @scratch() attributes {trn.kernel} {
  %saved = memref.alloc() : memref<128x512xf32, #trn.mem<hbm>>
  %tile = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
  trn.memset %tile, 0.0 : memref<128x512xf32, #sbuf> on gpsimd
  trn.dma_copy %tile to %saved : memref<128x512xf32, #sbuf> to memref<128x512xf32, #trn.mem<hbm>>
  memref.dealloc %saved : memref<128x512xf32, #trn.mem<hbm>>
  return
}

// Host code is left alone.
func.func @host(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func private @declaration(memref<4xf32>) attributes {trn.kernel}

// What is in a loop without iterations takes no bytes from anything.
func.func private @no_iterations() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %outside = trn.alloc offset 256 : memref<128x64xf32, #sbuf>
  trn.memset %outside, 0.0 : memref<128x64xf32, #sbuf> on vector
  scf.for %i = %c0 to %c0 step %c1 {
    %inside = trn.alloc buffers 3 offset 32 : memref<128x64xf32, #sbuf>
    trn.memset %inside, 0.0 : memref<128x64xf32, #sbuf> on vector
  }
  trn.memset %outside, 0.0 : memref<128x64xf32, #sbuf> on vector
  return
}
