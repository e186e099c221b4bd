// RUN: trn-opt %s --trn-analyze --verify-diagnostics=only-expected -o /dev/null

// Half a nanosecond a column.
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#machine = #trn.machine<"trn1", {dma_gb_per_second_per_engine = 16.0 : f64, dma_ns_per_descriptor = 16.0 : f64,
    tensor_ns_per_column = 0.5 : f64, dma_latency_ns = 1000.0 : f64, kernel_overhead_ns = 1000.0 : f64}>

module attributes {trn.machine = #machine} {
  func.func private @full() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc : memref<128x128xbf16, #sbuf>
    %x = trn.alloc : memref<128x512xbf16, #sbuf>
    %y = trn.alloc : memref<128x512xf32, #psum>
    scf.for %i = %c0 to %c100 step %c1 {
      scf.for %j = %c0 to %c4 step %c2 {
        // expected-remark @below {{tensor engine: K 128 x M 128 x N 512 of 128 x 128 x 512 fills 100.0 % of the array, 200 times: 51.200 us}}
        trn.matmul stationary(%w : memref<128x128xbf16, #sbuf>) moving(%x : memref<128x512xbf16, #sbuf>) into %y : memref<128x512xf32, #psum>
      }
    }
    return
  }

  func.func private @part_of_the_rows_and_columns() attributes {trn.kernel} {
    %w = trn.alloc : memref<64x96xbf16, #sbuf>
    %x = trn.alloc : memref<64x512xbf16, #sbuf>
    %y = trn.alloc : memref<96x512xf32, #psum>
    // 64 / 128 * 96 / 128 of 256 ns.
    // expected-remark @below {{tensor engine: K 64 x M 96 x N 512 of 128 x 128 x 512 fills 37.5 % of the array, once: 0.256 us, 0.160 us of it padding; K 128 and M 128 would take as long}}
    trn.matmul stationary(%w : memref<64x96xbf16, #sbuf>) moving(%x : memref<64x512xbf16, #sbuf>) into %y : memref<96x512xf32, #psum>
    return
  }

  func.func private @few_moving_columns() attributes {trn.kernel} {
    %w = trn.alloc : memref<128x128xf32, #sbuf>
    %x = trn.alloc : memref<128x16xf32, #sbuf>
    %y = trn.alloc : memref<128x16xf32, #psum>
    // 4 passes of 64 columns, the minimum.
    // expected-remark @below {{tensor engine: K 128 x M 128 x N 16 in f32 of 128 x 128 x 512 fills 25.0 % of the array, once: 0.128 us, 0.096 us of it padding; N 64 would take no longer}}
    trn.matmul stationary(%w : memref<128x128xf32, #sbuf>) moving(%x : memref<128x16xf32, #sbuf>) into %y : memref<128x16xf32, #psum>
    return
  }

  func.func private @transposes() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc : memref<128x64xbf16, #sbuf>
    %x = trn.alloc : memref<128x192xbf16, #sbuf>
    %y = trn.alloc : memref<64x192xf32, #psum>
    %turned = trn.alloc : memref<64x128xf32, #psum>
    scf.for %i = %c0 to %c2 step %c1 {
      // 192 columns against 128, both twice.
      // expected-remark @below {{tensor engine: K 128 x M 64 x N 192 of 128 x 128 x 512 fills 50.0 % of the array, 2 times: 0.192 us, 0.096 us of it padding; M 128 would take as long}}
      trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x192xbf16, #sbuf>) into %y : memref<64x192xf32, #psum>
      // expected-remark @below {{tensor engine: transposes 128 x 64, 2 times: 0.128 us, 40.0 % of its time; an operand that arrives transposed needs none}}
      trn.transpose %w into %turned : memref<128x64xbf16, #sbuf> to memref<64x128xf32, #psum> on tensor
    }
    return
  }
}
