// RUN: trn-run %s --machine=trn2 --timing-only --trace=%t.json | FileCheck %s --check-prefixes=CHECK,WARM
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// RUN: trn-run %s --machine=trn1 --timing-only --trace=%t.json | FileCheck %s --implicit-check-not="throttle{{$}}"
// RUN: FileCheck %s --check-prefix=ALWAYS --input-file=%t.json --implicit-check-not=throttled_us

// Of ten matmuls of 213 ns those in the first 3000 ns go at half rate, in which
// 1500 ns of work is done: 1500 ns more.
// CHECK: critical_path
// WARM: {{ }}0.00150 tensor throttle{{$}}
// CHECK: engine_waits

// The first takes 512 * 0.4167 ns more; the eighth the rest, 1500 - 7 * 213.35 ns.
// TRACE: "throttled_us":0.213350
// TRACE-COUNT-6: "throttled_us":0.213350
// TRACE: "throttled_us":0.006550
// TRACE-NOT: throttled_us

// ALWAYS: "name":"matmul product"

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

func.func private @products(%w: memref<128x128xbf16>, %x: memref<128x512xbf16>) attributes {trn.kernel} {
  %w_tile = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
  %x_tile = trn.alloc offset 1024 : memref<128x512xbf16, #sbuf>
  %y = trn.alloc bank 0 offset 0 : memref<128x512xf32, #psum>
  trn.dma_copy %w to %w_tile : memref<128x128xbf16> to memref<128x128xbf16, #sbuf>
  trn.dma_copy %x to %x_tile : memref<128x512xbf16> to memref<128x512xbf16, #sbuf>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    trn.matmul stationary(%w_tile : memref<128x128xbf16, #sbuf>)
               moving(%x_tile : memref<128x512xbf16, #sbuf>) into %y : memref<128x512xf32, #psum>
  }
  return
}

func.func @main(%w: memref<128x128xbf16>, %x: memref<128x512xbf16>) {
  call @products(%w, %x) : (memref<128x128xbf16>, memref<128x512xbf16>) -> ()
  return
}
