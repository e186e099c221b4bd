// RUN: trn-run %s --timing-only --report=%t.json
// RUN: FileCheck %s --input-file=%t.json

// A report says how each kernel was compiled: in full, and into which blocks.

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK: "blocks": "n=256"
// CHECK: "schedule": "nests = [o (m = 64, n = 256)], homes = [xt at kernel, w at kernel, o at m]"
func.func private @product(%xt: memref<128x64xbf16>, %w: memref<128x512xbf16>, %o: memref<64x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 64, k = 128, n = 512],
      matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
      stages = [o = xt * w over k],
      nests = [o (m = 64, n = 256)], homes = [xt at kernel, w at kernel, o at m]>} {
  %x = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  trn.dma_copy %xt to %x : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  %ws = trn.alloc offset 128 : memref<128x512xbf16, #sbuf>
  trn.dma_copy %w to %ws : memref<128x512xbf16> to memref<128x512xbf16, #sbuf>
  %sums = trn.alloc bank 0 offset 0 : memref<64x512xf32, #psum>
  trn.matmul stationary(%x : memref<128x64xbf16, #sbuf>) moving(%ws : memref<128x512xbf16, #sbuf>)
             into %sums : memref<64x512xf32, #psum>
  %os = trn.alloc offset 1152 : memref<64x512xbf16, #sbuf>
  trn.tensor_copy %sums into %os : memref<64x512xf32, #psum> to memref<64x512xbf16, #sbuf> on vector
  trn.dma_copy %os to %o : memref<64x512xbf16, #sbuf> to memref<64x512xbf16>
  return
}
