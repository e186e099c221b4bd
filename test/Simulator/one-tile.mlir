// RUN: trn-run %s --timing-only --trace=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json

// The kernel of "One tile, by hand" in docs/CostModel.md: 20670.896 ns.
// CHECK: latency_ms {{ *}}0.02067
// CHECK: hbm_read_bytes {{ *}}163,840
// CHECK: hbm_write_bytes {{ *}}131,072

// The same times, in microseconds.
// TRACE-DAG: "ts":16.300000,"dur":0.192000,"name":"dma_copy argument 0"
// TRACE-DAG: "ts":16.492000,"dur":0.513882,"name":"dma_copy argument 1"
// TRACE-DAG: "ts":17.462000,"dur":0.208896,"name":"matmul product"
// TRACE-DAG: "ts":17.920896,"dur":0.408571,"name":"activation result 0"
// TRACE-DAG: "ts":19.800896,"dur":0.513882,"name":"dma_copy result 0"

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

func.func private @tile(%w: memref<128x128xbf16>, %x: memref<128x512xbf16>,
                        %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel} {
  %w_tile = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
  %x_tile = trn.alloc offset 1024 : memref<128x512xbf16, #sbuf>
  %o_tile = trn.alloc offset 2048 : memref<128x512xbf16, #sbuf>
  %y = trn.alloc bank 0 offset 0 : memref<128x512xf32, #psum>
  trn.dma_copy %w to %w_tile : memref<128x128xbf16> to memref<128x128xbf16, #sbuf>
  trn.dma_copy %x to %x_tile : memref<128x512xbf16> to memref<128x512xbf16, #sbuf>
  trn.matmul stationary(%w_tile : memref<128x128xbf16, #sbuf>)
             moving(%x_tile : memref<128x512xbf16, #sbuf>) into %y : memref<128x512xf32, #psum>
  trn.activation copy(%y : memref<128x512xf32, #psum>) into %o_tile : memref<128x512xbf16, #sbuf>
  trn.dma_copy %o_tile to %o : memref<128x512xbf16, #sbuf> to memref<128x512xbf16>
  return
}

func.func @main(%w: memref<128x128xbf16>, %x: memref<128x512xbf16>) -> memref<128x512xbf16> {
  %o = memref.alloc() : memref<128x512xbf16>
  call @tile(%w, %x, %o) : (memref<128x128xbf16>, memref<128x512xbf16>, memref<128x512xbf16>) -> ()
  return %o : memref<128x512xbf16>
}
