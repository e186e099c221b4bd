// RUN: trn-opt %s --trn-analyze --split-input-file --verify-diagnostics=only-expected -o /dev/null

// What a kernel keeps busy, and what costs it time. Sixteen DMA engines of 16 GB/s, 16 ns a
// descriptor: rows of 4 KiB take 272 ns, all engines together 240.9 GB/s.

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#machine = #trn.machine<"trn1", {dma_gb_per_second_per_engine = 16.0 : f64, dma_ns_per_descriptor = 16.0 : f64,
    tensor_ns_per_column = 0.5 : f64, dma_latency_ns = 1000.0 : f64, kernel_overhead_ns = 1000.0 : f64}>

module attributes {trn.machine = #machine} {
  // The arguments have 131072 + 524288 + 131072 bytes. Tensor: 4 * 256 ns. Scalar:
  // (512 + 60) / 1.4 GHz. DMA: 4 * 256 + 5 * 640 ns. At 240.9 GB/s it were 3.264 us.
  // expected-remark @below {{analysis: bound 3.264 us by traffic (tensor_engine 1.024 us); busy: tensor engine 1.024 us, scalar engine 0.409 us, dma 4.224 us, fixed costs 3.000 us}}
  // expected-note @below {{live at the peak: 8448 of 180224 bytes a partition of sbuf (4.7 %) and 2 of 8 banks of psum}}
  // expected-note @below {{sbuf is used up to byte 16640 of 180224; psum banks 0 to 1: 1 buffer of 2048 bytes; banks 2 to 7: free}}
  func.func private @product(%w: memref<512x128xbf16>, %x: memref<512x512xbf16>,
                             %y: memref<128x512xbf16> {trn.result}) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index
    %sums = trn.alloc buffers 2 bank 0 offset 0 : memref<128x512xf32, #psum>
    scf.for %k = %c0 to %c4 step %c1 {
      %row = arith.muli %k, %c128 : index
      %stationary = trn.alloc offset 16384 : memref<128x128xbf16, #sbuf>
      %moving = trn.alloc buffers 8 offset 0 : memref<128x512xbf16, #sbuf>
      %from_w = memref.subview %w[%row, 0] [128, 128] [1, 1] : memref<512x128xbf16> to memref<128x128xbf16, strided<[128, 1], offset: ?>>
      %from_x = memref.subview %x[%row, 0] [128, 512] [1, 1] : memref<512x512xbf16> to memref<128x512xbf16, strided<[512, 1], offset: ?>>
      trn.dma_copy %from_w to %stationary : memref<128x128xbf16, strided<[128, 1], offset: ?>> to memref<128x128xbf16, #sbuf>
      trn.dma_copy %from_x to %moving : memref<128x512xbf16, strided<[512, 1], offset: ?>> to memref<128x512xbf16, #sbuf>
      %more = arith.cmpi ne, %k, %c0 : index
      trn.matmul stationary(%stationary : memref<128x128xbf16, #sbuf>) moving(%moving : memref<128x512xbf16, #sbuf>)
                 into %sums : memref<128x512xf32, #psum> accumulate(%more)
    }
    %out = trn.alloc offset 0 : memref<128x512xbf16, #sbuf>
    trn.activation copy(%sums : memref<128x512xf32, #psum>) into %out : memref<128x512xbf16, #sbuf>
    trn.dealloc %sums : memref<128x512xf32, #psum>
    trn.dma_copy %out to %y : memref<128x512xbf16, #sbuf> to memref<128x512xbf16>
    trn.dealloc %out : memref<128x512xbf16, #sbuf>
    return
  }

  // expected-remark @below {{analysis: bound 0.128 us by tensor_engine (traffic 0.000 us); busy: tensor engine 12.800 us, fixed costs 3.000 us}}
  // expected-note @below {{45.9 % transposes of intermediate: 50.0 % of the tensor engine's time transposes intermediate}}
  func.func private @transposing() attributes {trn.kernel, trn.flops = 8388608 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
    %sums = trn.alloc bank 0 offset 0 : memref<128x128xf32, #psum>
    // Both tiles make the peak of one bank.
    // expected-remark @below {{psum: bank 0, 512 of 2048 bytes; live at the peak}}
    %turned = trn.alloc bank 0 offset 512 : memref<128x128xf32, #psum>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.matmul stationary(%w : memref<128x128xbf16, #sbuf>) moving(%w : memref<128x128xbf16, #sbuf>) into %sums : memref<128x128xf32, #psum>
      trn.transpose %w into %turned : memref<128x128xbf16, #sbuf> to memref<128x128xf32, #psum> on tensor
    }
    return
  }

  // expected-remark @below {{analysis: bound 1.600 us by tensor_engine (traffic 0.000 us); busy: tensor engine 6.400 us, fixed costs 3.000 us}}
  // expected-note @below {{63.6 % recomputation: executes 4.0 times the FLOPs of the model}}
  func.func private @recomputing() attributes {trn.kernel, trn.flops = 104857600 : i64} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
    %sums = trn.alloc bank 0 offset 0 : memref<128x128xf32, #psum>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.matmul stationary(%w : memref<128x128xbf16, #sbuf>) moving(%w : memref<128x128xbf16, #sbuf>) into %sums : memref<128x128xf32, #psum>
    }
    return
  }

  // expected-remark @below {{analysis: bound 6.400 us by tensor_engine (traffic 0.000 us); busy: tensor engine 6.400 us, fixed costs 3.000 us}}
  // expected-note @below {{modelled 7.550 us, at 84.8 % of its bound (tensor engine); else on the critical path: kernel_overhead 13.2 %}}
  func.func private @full() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
    %sums = trn.alloc bank 7 offset 0 : memref<128x128xf32, #psum>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.matmul stationary(%w : memref<128x128xbf16, #sbuf>) moving(%w : memref<128x128xbf16, #sbuf>) into %sums : memref<128x128xf32, #psum>
    }
    return
  }

  // expected-remark @below {{analysis: bound 3.200 us by tensor_engine (traffic 0.000 us); busy: tensor engine 6.400 us, fixed costs 3.000 us}}
  func.func private @padded() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    %w = trn.alloc : memref<64x128xbf16, #sbuf>
    %y = trn.alloc : memref<128x128xf32, #psum>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.matmul stationary(%w : memref<64x128xbf16, #sbuf>) moving(%w : memref<64x128xbf16, #sbuf>) into %y : memref<128x128xf32, #psum>
    }
    return
  }

  // expected-remark @below {{analysis: bound 2.176 us by traffic (tensor_engine 0.000 us); busy: dma 217.600 us, fixed costs 3.000 us}}
  // expected-note @below {{90.0 % repeated traffic of argument 0: argument 0 is read 100.0 times, 51,904,512 bytes more than once would be}}
  func.func private @reloading(%x: memref<128x2048xbf16>) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %tile = trn.alloc offset 0 : memref<128x2048xbf16, #sbuf>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.dma_copy %x to %tile : memref<128x2048xbf16> to memref<128x2048xbf16, #sbuf>
    }
    return
  }

  // expected-remark @below {{analysis: bound 0.000 us by tensor_engine (traffic 0.000 us); busy: gpsimd engine 19.571 us, fixed costs 3.000 us}}
  // expected-note @below {{half the work of GpSimd: GpSimd is busy for 94.8 % of the time}}
  func.func private @counting() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c100 = arith.constant 100 : index
    %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
    scf.for %i = %c0 to %c100 step %c1 {
      trn.iota %tile start 0 step 1 : memref<128x64xf32, #sbuf>
    }
    return
  }

  // expected-remark @below {{analysis: bound 2.176 us by traffic (tensor_engine 0.000 us); busy: dma 2.176 us, fixed costs 3.000 us}}
  func.func private @small(%x: memref<128x2048xbf16>) attributes {trn.kernel} {
    %tile = trn.alloc : memref<128x2048xbf16, #sbuf>
    trn.dma_copy %x to %tile : memref<128x2048xbf16> to memref<128x2048xbf16, #sbuf>
    return
  }

  // expected-remark @below {{analysis: the kernel has no instructions}}
  func.func private @nothing_to_do(%x: memref<128x128xbf16>) attributes {trn.kernel} {
    return
  }

  // Nothing to say about.
  func.func private @elsewhere(%x: memref<128x128xbf16>) attributes {trn.kernel}
}

// -----

// expected-remark @below {{analysis: the module has no kernels; a kernel is a function with trn.kernel, and trn-compile makes them}}
module {
  func.func @host() {
    return
  }
}

// -----

// More executions than 64 bits count: 2^62 * 2^62, and the largest number of 64 bits.
#sbuf = #trn.mem<sbuf>
#machine = #trn.machine<"trn1", {dma_gb_per_second_per_engine = 16.0 : f64, dma_ns_per_descriptor = 16.0 : f64}>
module attributes {trn.machine = #machine} {
  // expected-remark @below {{analysis: bound 0.000 us by tensor_engine (traffic 0.000 us); busy: dma 10625324586456702.000 ms, fixed costs 17.600 us}}
  func.func private @endless() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %many = arith.constant 4611686018427387904 : index
    %tile = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
    scf.for %i = %c0 to %many step %c1 {
      scf.for %j = %c0 to %many step %c1 {
        // expected-remark @below {{dma: 128 rows of 2048 bytes move at 227.6 of 256.0 GB/s (88.9 %), 9223372036854775807 times}}
        trn.dma_copy %tile to %tile : memref<128x512xf32, #sbuf> to memref<128x512xf32, #sbuf>
      }
    }
    return
  }
}
