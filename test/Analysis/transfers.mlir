// RUN: trn-opt %s --trn-analyze --verify-diagnostics=only-expected -o /dev/null

// Sixteen DMA engines of 16 GB/s serve 8 partitions each; 16 ns a descriptor.
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#machine = #trn.machine<"trn2", {dma_gb_per_second_per_engine = 16.0 : f64, dma_ns_per_descriptor = 16.0 : f64, dma_min_ns_per_descriptor = 0.0 : f64, dma_min_transfer_ns = 0.0 : f64, dma_transpose_efficiency = 0.5 : f64,
    tensor_ns_per_column = 0.5 : f64, dma_latency_ns = 1000.0 : f64, kernel_overhead_ns = 1000.0 : f64}>

module attributes {trn.machine = #machine} {
  func.func private @efficient(%x: memref<512x2048xf32>, %y: memref<512x2048xf32> {trn.result}) attributes {trn.kernel} {
    %tile = trn.alloc offset 0 : memref<128x2048xf32, #sbuf>
    %rows = memref.subview %x[128, 0] [128, 2048] [1, 1] : memref<512x2048xf32> to memref<128x2048xf32, strided<[2048, 1], offset: 262144>>
    // 8 rows of 8192 / 16 + 16 ns = 4224 ns for 1 MiB.
    // expected-remark @below {{dma: 128 rows of 8192 bytes move at 248.2 of 256.0 GB/s (97.0 %), once}}
    trn.dma_copy %rows to %tile : memref<128x2048xf32, strided<[2048, 1], offset: 262144>> to memref<128x2048xf32, #sbuf>
    // Cut into 16 equal parts.
    // expected-remark @below {{dma: 1 row of 4194304 bytes move at 255.8 of 256.0 GB/s (99.9 %), once}}
    trn.dma_copy %x to %y : memref<512x2048xf32> to memref<512x2048xf32>
    return
  }

  func.func private @part_of_a_row(%x: memref<512x2048xf32>, %small: memref<512x256xf32>) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c100 = arith.constant 100 : index
    %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
    scf.for %i = %c0 to %c4 step %c1 {
      %column = affine.apply affine_map<(i) -> (i * 64)>(%i)
      %a = memref.subview %x[0, %column] [128, 64] [1, 1] : memref<512x2048xf32> to memref<128x64xf32, strided<[2048, 1], offset: ?>>
      // 8 * (256 / 16 + 16) = 256 ns for 32 KiB.
      // expected-remark @below {{dma: 128 rows of 256 bytes move at 128.0 of 256.0 GB/s (50.0 %), 4 times; rows of less than 2048 bytes waste time: take 512 columns at a time instead of 64}}
      trn.dma_copy %a to %tile : memref<128x64xf32, strided<[2048, 1], offset: ?>> to memref<128x64xf32, #sbuf>
      scf.for %j = %c0 to %c100 step %c1 {
        %b = memref.subview %small[0, %column] [128, 64] [1, 1] : memref<512x256xf32> to memref<128x64xf32, strided<[256, 1], offset: ?>>
        // expected-remark @below {{dma: 128 rows of 256 bytes move at 128.0 of 256.0 GB/s (50.0 %), 400 times; rows of less than 2048 bytes waste time: take 256 columns at a time instead of 64}}
        trn.dma_copy %tile to %b : memref<128x64xf32, #sbuf> to memref<128x64xf32, strided<[256, 1], offset: ?>>
      }
    }
    return
  }

  func.func private @narrow_matrix(%x: memref<512x100xbf16>) attributes {trn.kernel} {
    %tile = trn.alloc offset 0 : memref<128x100xbf16, #sbuf>
    %a = memref.subview %x[0, 0] [128, 100] [1, 1] : memref<512x100xbf16> to memref<128x100xbf16, strided<[100, 1]>>
    // 8 * (200 / 16 + 16) = 228 ns for 25600 bytes.
    // expected-remark @below {{dma: 128 rows of 200 bytes move at 112.3 of 256.0 GB/s (43.9 %), once; rows of less than 2048 bytes waste time: the matrix has rows of 100 columns only, so give each partition several neighbouring rows}}
    trn.dma_copy %a to %tile : memref<128x100xbf16, strided<[100, 1]>> to memref<128x100xbf16, #sbuf>
    return
  }

  func.func private @columns(%x: memref<512x2048xf32>) attributes {trn.kernel} {
    %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
    %turned = memref.transpose %x (i, j) -> (j, i) : memref<512x2048xf32> to memref<2048x512xf32, strided<[1, 2048]>>
    %a = memref.subview %turned[0, 0] [128, 64] [1, 1] : memref<2048x512xf32, strided<[1, 2048]>> to memref<128x64xf32, strided<[1, 2048]>>
    // 512 * (4 / 16 + 16) = 8320 ns for 32 KiB.
    // expected-remark @below {{dma: 8192 rows of 4 bytes move at 3.9 of 256.0 GB/s (1.5 %), once; rows of less than 2048 bytes waste time: neighbours in the tile are no neighbours in hbm, so transpose on chip or keep the matrix transposed}}
    trn.dma_copy %a to %tile : memref<128x64xf32, strided<[1, 2048]>> to memref<128x64xf32, #sbuf>
    return
  }

  func.func private @scattered_on_chip(%x: memref<128x512xf32>) attributes {trn.kernel} {
    %wide = trn.alloc offset 0 : memref<128x1024xf32, #sbuf>
    %every_second = memref.subview %wide[0, 0] [128, 512] [1, 2] : memref<128x1024xf32, #sbuf> to memref<128x512xf32, strided<[1024, 2]>, #sbuf>
    // expected-remark @below {{dma: 65536 rows of 4 bytes move at 3.9 of 256.0 GB/s (1.5 %), once; rows of less than 2048 bytes waste time: rows go on in hbm but not on chip, so use a tile with contiguous rows}}
    trn.dma_copy %x to %every_second : memref<128x512xf32> to memref<128x512xf32, strided<[1024, 2]>, #sbuf>
    return
  }

  func.func private @within_sbuf(%x: memref<128x512xf32>) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
    %b = trn.alloc offset 2048 : memref<128x512xf32, #sbuf>
    // expected-remark @below {{dma: 128 rows of 2048 bytes move at 227.6 of 256.0 GB/s (88.9 %), once}}
    trn.dma_copy %a to %b : memref<128x512xf32, #sbuf> to memref<128x512xf32, #sbuf>
    return
  }

  func.func private @few_partitions(%x: memref<12x4096xf32>) attributes {trn.kernel} {
    %few = trn.alloc offset 0 : memref<12x4096xf32, #sbuf>
    // The first engine has 8 rows of 16384 / 16 + 16 ns: 8320 ns for 192 KiB.
    // expected-remark @below {{dma: 12 rows of 16384 bytes move at 23.6 of 256.0 GB/s (9.2 %), once; only 2 of 16 dma engines take part: spread the tile over 128 partitions}}
    trn.dma_copy %x to %few : memref<12x4096xf32> to memref<12x4096xf32, #sbuf>
    return
  }

  func.func private @transposing(%x: memref<64x128xbf16>) attributes {trn.kernel} {
    %turned = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
    // 8 * (128 / (16 / 2) + 16) = 256 ns for 16 KiB.
    // expected-remark @below {{dma: 128 rows of 128 bytes move at 64.0 of 256.0 GB/s (25.0 %), once; rows of less than 2048 bytes waste time: take a larger tile}}
    trn.dma_transpose %x to %turned : memref<64x128xbf16> to memref<128x64xbf16, #sbuf>
    return
  }

  // Not folded yet: row r goes to partition r mod 128, so this is 4 * 8 rows an engine.
  func.func private @more_rows_than_partitions(%x: memref<512x1024xbf16>) attributes {trn.kernel} {
    %all = trn.alloc : memref<512x1024xbf16, #sbuf>
    // expected-remark @below {{dma: 512 rows of 2048 bytes move at 227.6 of 256.0 GB/s (88.9 %), once}}
    trn.dma_copy %x to %all : memref<512x1024xbf16> to memref<512x1024xbf16, #sbuf>
    return
  }
}
