// RUN: trn-opt %s --trn-place-buffers --split-input-file | FileCheck %s
// RUN: trn-opt %s --trn-place-buffers --split-input-file -o /dev/null \
// RUN:   --remark-format=emitRemark --remarks-filter=trn-place-buffers 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// 1024 + 2 x 512 bytes of SBUF, 4 banks of PSUM.
// REMARK: [Passed] Placed | {{.*}} | Function=live_together
// REMARK-SAME: psum_banks=4, sbuf_partition_bytes=2048

// CHECK-LABEL: @live_together
func.func private @live_together(%x: memref<128x256xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[STRIP:.*]] = trn.alloc offset 0 : memref<128x512xbf16
  %strip = trn.alloc : memref<128x512xbf16, #sbuf>
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: %[[BLOCK:.*]] = trn.alloc buffers 2 offset 1024 : memref<128x256xbf16
    // CHECK: %[[SUMS:.*]] = trn.alloc buffers 4 bank 0 offset 0 : memref<128x256xf32
    // CHECK: trn.dma_copy
    // CHECK-NEXT: trn.dealloc %[[BLOCK]]
    // CHECK: trn.memset
    // CHECK-NEXT: trn.dealloc %[[SUMS]]
    %block = trn.alloc buffers 2 : memref<128x256xbf16, #sbuf>
    %sums = trn.alloc buffers 4 : memref<128x256xf32, #psum>
    trn.dma_copy %x to %block : memref<128x256xbf16> to memref<128x256xbf16, #sbuf>
    trn.memset %sums, 0.0 : memref<128x256xf32, #psum>
  }
  // CHECK: trn.memset %[[STRIP]]
  // CHECK-NEXT: trn.dealloc %[[STRIP]]
  trn.memset %strip, 0.0 : memref<128x512xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// Whoever takes the place of another buffer waits for its last user, so nobody
// does as long as there is room.
// CHECK-LABEL: @addresses_go_round
func.func private @addresses_go_round() attributes {trn.kernel} {
  // CHECK: trn.alloc offset 0
  %first = trn.alloc : memref<128x512xbf16, #sbuf>
  trn.memset %first, 0.0 : memref<128x512xbf16, #sbuf>
  // CHECK: trn.alloc offset 1024
  %second = trn.alloc : memref<128x512xbf16, #sbuf>
  trn.memset %second, 0.0 : memref<128x512xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 3072 : i64}>} {
  // CHECK-LABEL: @one_after_the_other
  func.func private @one_after_the_other() attributes {trn.kernel} {
    // CHECK: trn.alloc offset 0
    %first = trn.alloc : memref<128x1024xbf16, #sbuf>
    trn.memset %first, 0.0 : memref<128x1024xbf16, #sbuf>
    // CHECK: trn.alloc offset 0
    %second = trn.alloc : memref<128x1024xbf16, #sbuf>
    trn.memset %second, 0.0 : memref<128x1024xbf16, #sbuf>
    return
  }
}

// -----

#psum = #trn.mem<psum>

// CHECK-LABEL: @banks_go_round
func.func private @banks_go_round() attributes {trn.kernel} {
  // CHECK: trn.alloc bank 0 offset 0
  %first = trn.alloc : memref<128x512xf32, #psum>
  trn.memset %first, 0.0 : memref<128x512xf32, #psum>
  // CHECK: trn.alloc bank 1 offset 0
  %second = trn.alloc : memref<128x512xf32, #psum>
  trn.memset %second, 0.0 : memref<128x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// The first use of the inner buffer in the next iteration comes after the last
// use of the outer one in this: what a loop uses from outside lives all of it.
// CHECK-LABEL: @used_inside_a_loop
func.func private @used_inside_a_loop() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // CHECK: %[[OUTER:.*]] = trn.alloc offset 0
  %outer = trn.alloc : memref<128x512xbf16, #sbuf>
  scf.for %i = %c0 to %c4 step %c1 {
    trn.memset %outer, 0.0 : memref<128x512xbf16, #sbuf>
    // CHECK: trn.alloc offset 1024
    %inner = trn.alloc : memref<128x512xbf16, #sbuf>
    trn.memset %inner, 0.0 : memref<128x512xbf16, #sbuf>
  }
  // CHECK: }
  // CHECK-NEXT: trn.dealloc %[[OUTER]]
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// Slots rotate: the other one is still in use behind the dealloc.
// CHECK-LABEL: @rotating_lives_the_whole_loop
func.func private @rotating_lives_the_whole_loop() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: trn.alloc buffers 2 offset 0
    %rotating = trn.alloc buffers 2 : memref<128x512xbf16, #sbuf>
    trn.memset %rotating, 0.0 : memref<128x512xbf16, #sbuf>
    trn.dealloc %rotating : memref<128x512xbf16, #sbuf>
    // CHECK: trn.alloc offset 2048
    %other = trn.alloc : memref<128x512xbf16, #sbuf>
    trn.memset %other, 0.0 : memref<128x512xbf16, #sbuf>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// %left is filled for the next iteration while %right is in use, so the two do
// not share a place, although they are never live together.
// CHECK-LABEL: @two_halves_alternate
func.func private @two_halves_alternate(%x: memref<128x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: trn.alloc offset 0 : memref<128x64xbf16
    // CHECK: trn.alloc offset 128 : memref<128x64xbf16
    %sums = trn.alloc : memref<64x64xf32, #psum>
    %left = trn.alloc : memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %left : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
    trn.matmul stationary(%left : memref<128x64xbf16, #sbuf>) moving(%left : memref<128x64xbf16, #sbuf>) into %sums : memref<64x64xf32, #psum>
    %right = trn.alloc : memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %right : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
    trn.matmul stationary(%right : memref<128x64xbf16, #sbuf>) moving(%right : memref<128x64xbf16, #sbuf>) into %sums : memref<64x64xf32, #psum>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @views_count_as_uses
func.func private @views_count_as_uses() attributes {trn.kernel} {
  // CHECK: trn.alloc offset 0
  %b = trn.alloc : memref<128x2x256xbf16, #sbuf>
  %half = memref.subview %b[0, 1, 0] [128, 1, 256] [1, 1, 1] : memref<128x2x256xbf16, #sbuf> to memref<128x256xbf16, strided<[512, 1], offset: 256>, #sbuf>
  // CHECK: trn.alloc offset 1024
  %c = trn.alloc : memref<128x256xbf16, #sbuf>
  trn.memset %c, 0.0 : memref<128x256xbf16, #sbuf>
  // CHECK: trn.memset
  // CHECK: trn.memset
  // CHECK-NEXT: trn.dealloc
  trn.memset %half, 0.0 : memref<128x256xbf16, strided<[512, 1], offset: 256>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @placed_is_left_alone
func.func private @placed_is_left_alone() attributes {trn.kernel} {
  // CHECK: trn.alloc offset 512 : memref<128x256xbf16
  // CHECK: trn.alloc offset 1024 : memref<128x512xbf16
  %placed = trn.alloc offset 512 : memref<128x256xbf16, #sbuf>
  %free = trn.alloc : memref<128x512xbf16, #sbuf>
  trn.memset %free, 0.0 : memref<128x512xbf16, #sbuf>
  trn.memset %placed, 0.0 : memref<128x256xbf16, #sbuf>
  return
}

// -----

// CHECK-LABEL: @nothing_on_chip
// CHECK-NEXT: return
func.func @nothing_on_chip() {
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// Addresses go round through branches, too.
// CHECK-LABEL: @branches
func.func private @branches(%x: memref<128x256xbf16>, %y: memref<128x256xbf16>, %on: i1) attributes {trn.kernel} {
  // CHECK: trn.alloc offset 0
  scf.if %on {
    %block = trn.alloc : memref<128x256xbf16, #sbuf>
    trn.dma_copy %x to %block : memref<128x256xbf16> to memref<128x256xbf16, #sbuf>
    trn.dma_copy %block to %y : memref<128x256xbf16, #sbuf> to memref<128x256xbf16>
  }
  // CHECK: trn.alloc offset 512
  affine.for %i = 0 to 4 {
    %block = trn.alloc : memref<128x256xbf16, #sbuf>
    trn.dma_copy %x to %block : memref<128x256xbf16> to memref<128x256xbf16, #sbuf>
    trn.dma_copy %block to %y : memref<128x256xbf16, #sbuf> to memref<128x256xbf16>
  }
  return
}
