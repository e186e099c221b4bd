// RUN: trn-opt %s --trn-fold-partitions --canonicalize --split-input-file | FileCheck %s
// RUN: trn-opt %s --trn-fold-partitions --split-input-file -o /dev/null \
// RUN:   --remark-format=emitRemark --remarks-filter=trn-fold-partitions 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#sbuf = #trn.mem<sbuf>

// REMARK: [Passed] Folded | Category:trn-fold-partitions | {{.*}} rows=300, tiles=3

// All full tiles move at once, the last 44 rows on their own.
// CHECK-LABEL: @copy_whole
// CHECK-SAME:    (%[[X:.*]]: memref<300x64xbf16>)
func.func private @copy_whole(%x: memref<300x64xbf16>) attributes {trn.kernel} {
  // CHECK: %[[B:.*]] = trn.alloc : memref<128x3x64xbf16, #trn.mem<sbuf>>
  // CHECK-DAG: %[[HEAD:.*]] = memref.subview %[[X]][0, 0] [256, 64] [1, 1]
  // CHECK-DAG: %[[SPLIT:.*]] = memref.expand_shape %[[HEAD]] {{\[}}[0, 1], [2]] output_shape [2, 128, 64]
  // CHECK-DAG: %[[FROM:.*]] = memref.transpose %[[SPLIT]] (d0, d1, d2) -> (d1, d0, d2)
  // CHECK-DAG: %[[TO:.*]] = memref.subview %[[B]][0, 0, 0] [128, 2, 64] [1, 1, 1]
  // CHECK: trn.dma_copy %[[FROM]] to %[[TO]]
  // CHECK-SAME: memref<128x2x64xbf16, strided<[64, 8192, 1]>> to memref<128x2x64xbf16, strided<[192, 64, 1]>, #trn.mem<sbuf>>
  // CHECK: trn.dma_copy
  // CHECK-SAME: memref<44x64xbf16, strided<[64, 1], offset: 16384>> to memref<44x64xbf16, strided<[192, 1], offset: 128>, #trn.mem<sbuf>>
  %b = trn.alloc : memref<300x64xbf16, #sbuf>
  trn.dma_copy %x to %b : memref<300x64xbf16> to memref<300x64xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @copy_one_and_a_half_tiles
func.func private @copy_one_and_a_half_tiles(%x: memref<192x8xf32>) attributes {trn.kernel} {
  // CHECK: trn.dma_copy {{.*}} memref<128x8xf32, strided<[8, 1]>> to memref<128x8xf32, strided<[16, 1]>, #trn.mem<sbuf>>
  // CHECK: trn.dma_copy {{.*}} memref<64x8xf32, strided<[8, 1], offset: 1024>> to memref<64x8xf32, strided<[16, 1], offset: 8>, #trn.mem<sbuf>>
  %b = trn.alloc : memref<192x8xf32, #sbuf>
  trn.dma_copy %x to %b : memref<192x8xf32> to memref<192x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// Columns that are equally far apart.
// CHECK-LABEL: @columns_apart
func.func private @columns_apart() attributes {trn.kernel} {
  // CHECK: %[[B:.*]] = trn.alloc : memref<128x2x8xf32, #trn.mem<sbuf>>
  // CHECK: memref.subview %[[B]][0, 1, 1] [128, 1, 4] [1, 1, 2]
  // CHECK: trn.memset {{.*}} : memref<128x4xf32, strided<[16, 2], offset: 9>, #trn.mem<sbuf>>
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  %rows = memref.subview %b[128, 1] [128, 4] [1, 2] : memref<256x8xf32, #sbuf> to memref<128x4xf32, strided<[8, 2], offset: 1025>, #sbuf>
  trn.memset %rows, 0.0 : memref<128x4xf32, strided<[8, 2], offset: 1025>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @copy_between_folded
func.func private @copy_between_folded() attributes {trn.kernel} {
  // CHECK: trn.dma_copy {{.*}} memref<128x2x64xbf16, strided<[192, 64, 1]>, #trn.mem<sbuf>> to memref<128x2x64xbf16, strided<[256, 64, 1], offset: 64>, #trn.mem<sbuf>>
  // CHECK: trn.dma_copy {{.*}} memref<44x64xbf16, strided<[192, 1], offset: 128>, #trn.mem<sbuf>> to memref<44x64xbf16, strided<[256, 1], offset: 192>, #trn.mem<sbuf>>
  %a = trn.alloc : memref<300x64xbf16, #sbuf>
  %b = trn.alloc : memref<512x64xbf16, #sbuf>
  %rows = memref.subview %b[128, 0] [300, 64] [1, 1]
      : memref<512x64xbf16, #sbuf> to memref<300x64xbf16, strided<[64, 1], offset: 8192>, #sbuf>
  trn.dma_copy %a to %rows : memref<300x64xbf16, #sbuf>
      to memref<300x64xbf16, strided<[64, 1], offset: 8192>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @fill_and_free
func.func private @fill_and_free() attributes {trn.kernel} {
  // CHECK: %[[B:.*]] = trn.alloc : memref<128x2x64xbf16, #trn.mem<sbuf>>
  // CHECK: trn.memset {{.*}}, 1.000000e+00 : memref<128x2x64xbf16
  // CHECK-NOT: trn.memset
  // CHECK: trn.dealloc %[[B]] : memref<128x2x64xbf16, #trn.mem<sbuf>>
  %b = trn.alloc : memref<256x64xbf16, #sbuf>
  trn.memset %b, 1.0 : memref<256x64xbf16, #sbuf>
  trn.dealloc %b : memref<256x64xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#view = strided<[64, 1], offset: ?>
#half = strided<[64, 1], offset: ?>

// CHECK-DAG: #[[$TILE:.*]] = affine_map<(d0) -> (d0 floordiv 128)>
// CHECK-DAG: #[[$NESTED:.*]] = affine_map<(d0, d1) -> ((d0 + d1) floordiv 128)>

// Tiles of a block of a strip: the offsets of both views add up.
// CHECK-LABEL: @tiles_of_blocks
func.func private @tiles_of_blocks(%x: memref<512x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c512 = arith.constant 512 : index
  // CHECK: %[[B:.*]] = trn.alloc : memref<128x4x64xbf16, #trn.mem<sbuf>>
  %b = trn.alloc : memref<512x64xbf16, #sbuf>
  // CHECK: scf.for %[[R0:.*]] =
  scf.for %r0 = %c0 to %c512 step %c256 {
    // CHECK: %[[T0:.*]] = affine.apply #[[$TILE]](%[[R0]])
    // CHECK: %[[BLOCK:.*]] = memref.subview %[[B]][0, %[[T0]], 0] [128, 2, 64] [1, 1, 1]
    // CHECK: trn.dma_copy %{{.*}} to %[[BLOCK]]
    %block = memref.subview %b[%r0, 0] [256, 64] [1, 1] : memref<512x64xbf16, #sbuf> to memref<256x64xbf16, #view, #sbuf>
    %from = memref.subview %x[%r0, 0] [256, 64] [1, 1] : memref<512x64xbf16> to memref<256x64xbf16, #view>
    trn.dma_copy %from to %block : memref<256x64xbf16, #view> to memref<256x64xbf16, #view, #sbuf>
    // CHECK: scf.for %[[R1:.*]] =
    scf.for %r1 = %c0 to %c256 step %c128 {
      // CHECK: %[[T1:.*]] = affine.apply #[[$NESTED]](%[[R0]], %[[R1]])
      // CHECK: %[[TILE:.*]] = memref.subview %[[B]][0, %[[T1]], 32] [128, 1, 32] [1, 1, 1]
      // CHECK-SAME: to memref<128x32xbf16, strided<[256, 1], offset: ?>, #trn.mem<sbuf>>
      // CHECK: trn.memset %[[TILE]]
      %tile = memref.subview %block[%r1, 32] [128, 32] [1, 1] : memref<256x64xbf16, #view, #sbuf> to memref<128x32xbf16, #half, #sbuf>
      trn.memset %tile, 0.0 : memref<128x32xbf16, #half, #sbuf>
    }
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// The multiple of 128 may hide in arithmetic: 64 * (2 * i) + 256.
// CHECK-LABEL: @tiles_by_arithmetic
func.func private @tiles_by_arithmetic() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c64 = arith.constant 64 : index
  %b = trn.alloc : memref<640x8xf32, #sbuf>
  scf.for %i = %c0 to %c2 step %c1 {
    %even = affine.apply affine_map<(d0) -> (d0 * 2)>(%i)
    %product = arith.muli %c64, %even : index
    %row = affine.apply affine_map<()[s0] -> (s0 + 256)>()[%product]
    // CHECK: memref.subview %{{.*}}[0, %{{.*}}, 0] [128, 1, 8] [1, 1, 1] : memref<128x5x8xf32
    %tile = memref.subview %b[%row, 0] [128, 8] [1, 1] : memref<640x8xf32, #sbuf> to memref<128x8xf32, strided<[8, 1], offset: ?>, #sbuf>
    trn.memset %tile, 0.0 : memref<128x8xf32, strided<[8, 1], offset: ?>, #sbuf>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @part_of_a_tile
func.func private @part_of_a_tile() attributes {trn.kernel} {
  // CHECK: memref.subview %{{.*}}[64, 1, 0] [32, 1, 8] [1, 1, 1] : memref<128x2x8xf32
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  %rows = memref.subview %b[192, 0] [32, 8] [1, 1] : memref<256x8xf32, #sbuf> to memref<32x8xf32, strided<[8, 1], offset: 1536>, #sbuf>
  trn.memset %rows, 0.0 : memref<32x8xf32, strided<[8, 1], offset: 1536>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @small_buffers_are_left_alone
func.func private @small_buffers_are_left_alone(%x: memref<128x64xbf16>, %y: memref<300x64xbf16>, %z: memref<300x64xbf16>) attributes {trn.kernel} {
  // CHECK: %[[B:.*]] = trn.alloc : memref<128x64xbf16, #trn.mem<sbuf>>
  // CHECK: trn.dma_copy %{{.*}} to %[[B]] : memref<128x64xbf16> to memref<128x64xbf16, #trn.mem<sbuf>>
  %b = trn.alloc : memref<128x64xbf16, #sbuf>
  trn.dma_copy %x to %b : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  // CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<300x64xbf16> to memref<300x64xbf16>
  trn.dma_copy %y to %z : memref<300x64xbf16> to memref<300x64xbf16>
  return
}
