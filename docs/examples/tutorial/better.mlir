// The same with W loaded once, X once a strip, and two slots for what changes: the next one is
// loaded, or the last one stored, while this one is used.
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

func.func private @relu_product(%xt: memref<256x512xbf16>, %w: memref<256x1024xbf16>,
                                %o: memref<512x1024xbf16> {trn.result})
    attributes {trn.kernel, trn.budget = {latency_ms = 0.033, hbm_bytes = 1835008}} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  %c1024 = arith.constant 1024 : index
  %b = trn.alloc {trn.matrix = "w"} : memref<256x1024xbf16, #sbuf>
  trn.dma_copy %w to %b : memref<256x1024xbf16> to memref<256x1024xbf16, #sbuf>
  scf.for %m = %c0 to %c512 step %c128 {        // strips of 128 rows of X
    %x = trn.alloc buffers 2 {trn.matrix = "x"} : memref<256x128xbf16, #sbuf>
    %x_hbm = memref.subview %xt[0, %m] [256, 128] [1, 1]
        : memref<256x512xbf16> to memref<256x128xbf16, strided<[512, 1], offset: ?>>
    trn.dma_copy %x_hbm to %x
        : memref<256x128xbf16, strided<[512, 1], offset: ?>> to memref<256x128xbf16, #sbuf>
    scf.for %n = %c0 to %c1024 step %c512 {     // blocks of 512 columns of W
      // SBUF -> PSUM: 128 partitions of K at a time; the first product overwrites, others add.
      %sums = trn.alloc {trn.matrix = "sums"} : memref<128x512xf32, #psum>
      scf.for %k = %c0 to %c256 step %c128 {
        %later = arith.cmpi ne, %k, %c0 : index
        %xk = memref.subview %x[%k, 0] [128, 128] [1, 1] : memref<256x128xbf16, #sbuf>
            to memref<128x128xbf16, strided<[128, 1], offset: ?>, #sbuf>
        %wk = memref.subview %b[%k, %n] [128, 512] [1, 1] : memref<256x1024xbf16, #sbuf>
            to memref<128x512xbf16, strided<[1024, 1], offset: ?>, #sbuf>
        trn.matmul stationary(%xk : memref<128x128xbf16, strided<[128, 1], offset: ?>, #sbuf>)
                   moving(%wk : memref<128x512xbf16, strided<[1024, 1], offset: ?>, #sbuf>)
                   into %sums : memref<128x512xf32, #psum> accumulate(%later)
      }

      // PSUM -> SBUF, rounded to bf16 on the way, and SBUF -> HBM
      %tile = trn.alloc buffers 2 {trn.matrix = "o"} : memref<128x512xbf16, #sbuf>
      trn.activation relu(%sums : memref<128x512xf32, #psum>)
          into %tile : memref<128x512xbf16, #sbuf>
      %o_hbm = memref.subview %o[%m, %n] [128, 512] [1, 1]
          : memref<512x1024xbf16> to memref<128x512xbf16, strided<[1024, 1], offset: ?>>
      trn.dma_copy %tile to %o_hbm
          : memref<128x512xbf16, #sbuf> to memref<128x512xbf16, strided<[1024, 1], offset: ?>>
    }
  }
  return
}
