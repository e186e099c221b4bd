// RUN: trn-opt %s --trn-multi-buffer --split-input-file | FileCheck %s
// RUN: trn-opt %s --trn-multi-buffer --split-input-file -o /dev/null \
// RUN:   --remark-format=emitRemark --remarks-filter=trn-multi-buffer 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#sbuf = #trn.mem<sbuf>

// REMARK-DAG: [Passed] Rotated | {{.*}} buffers=2, memory=sbuf

// CHECK-LABEL: @transfers_overlap
func.func private @transfers_overlap(%x: memref<128x64xbf16>, %y: memref<128x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: %[[LOADED:.*]] = trn.alloc buffers 2 :
    // CHECK: %[[TEMPORARY:.*]] = trn.alloc :
    // CHECK: %[[STORED:.*]] = trn.alloc buffers 2 :
    // CHECK: trn.dma_copy %{{.*}} to %[[LOADED]]
    // CHECK: trn.tensor_copy %[[LOADED]] into %[[TEMPORARY]]
    // CHECK: trn.tensor_copy %[[TEMPORARY]] into %[[STORED]]
    %loaded = trn.alloc : memref<128x64xbf16, #sbuf>
    %temporary = trn.alloc : memref<128x64xbf16, #sbuf>
    %stored = trn.alloc : memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %loaded : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
    trn.tensor_copy %loaded into %temporary : memref<128x64xbf16, #sbuf> to memref<128x64xbf16, #sbuf>
    trn.tensor_copy %temporary into %stored : memref<128x64xbf16, #sbuf> to memref<128x64xbf16, #sbuf>
    trn.dma_copy %stored to %y : memref<128x64xbf16, #sbuf> to memref<128x64xbf16>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>

// Usable are 180224 bytes a partition. The inner block takes 2 x 45056; then
// the outer one has room for 1 x 81920 only.
// REMARK-DAG: [Missed] NoRoom | {{.*}}a second slot of 81920 bytes a partition does not fit

// CHECK-LABEL: @inner_loops_first
func.func private @inner_loops_first(%x: memref<128x40960xbf16>, %y: memref<128x22528xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: trn.alloc : memref<128x40960xbf16
    %outer = trn.alloc : memref<128x40960xbf16, #sbuf>
    trn.dma_copy %x to %outer : memref<128x40960xbf16> to memref<128x40960xbf16, #sbuf>
    scf.for %j = %c0 to %c4 step %c1 {
      // CHECK: trn.alloc buffers 2 : memref<128x22528xbf16
      %inner = trn.alloc : memref<128x22528xbf16, #sbuf>
      trn.dma_copy %y to %inner : memref<128x22528xbf16> to memref<128x22528xbf16, #sbuf>
    }
    trn.dma_copy %outer to %x : memref<128x40960xbf16, #sbuf> to memref<128x40960xbf16>
  }
  return
}

// -----

#psum = #trn.mem<psum>

// CHECK-LABEL: @one_accumulator_takes_all_banks
func.func private @one_accumulator_takes_all_banks() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    // CHECK: trn.alloc buffers 8 :
    %sums = trn.alloc : memref<128x512xf32, #psum>
    trn.memset %sums, 0.0 : memref<128x512xf32, #psum>
  }
  // A loop of its own has all banks again, but no more than it has iterations.
  %c3 = arith.constant 3 : index
  scf.for %i = %c0 to %c3 step %c1 {
    // CHECK: trn.alloc buffers 3 :
    %sums = trn.alloc : memref<128x512xf32, #psum>
    trn.memset %sums, 0.0 : memref<128x512xf32, #psum>
  }
  return
}

// -----

#psum = #trn.mem<psum>

// CHECK-LABEL: @accumulators_share_evenly
func.func private @accumulators_share_evenly() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: trn.alloc : memref<128x128xf32
  %outside = trn.alloc : memref<128x128xf32, #psum>
  scf.for %i = %c0 to %c64 step %c1 {
    // CHECK: trn.alloc buffers 4 : memref<128x256xf32
    // CHECK: trn.alloc buffers 3 : memref<128x512xf32
    %left = trn.alloc : memref<128x256xf32, #psum>
    %right = trn.alloc : memref<128x512xf32, #psum>
    trn.memset %left, 0.0 : memref<128x256xf32, #psum>
    trn.memset %right, 0.0 : memref<128x512xf32, #psum>
  }
  trn.memset %outside, 0.0 : memref<128x128xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// While the tensor engine works on %right, %left can be filled again.
// CHECK-LABEL: @two_halves_alternate
func.func private @two_halves_alternate(%x: memref<128x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // CHECK: trn.alloc : memref<128x64xbf16
    // CHECK: trn.alloc : memref<128x64xbf16
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
#psum = #trn.mem<psum>

// CHECK-LABEL: @left_alone
func.func private @left_alone(%x: memref<128x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // Outside of loops.
  // CHECK: trn.alloc : memref<128x64xbf16
  %once = trn.alloc : memref<128x64xbf16, #sbuf>
  trn.dma_copy %x to %once : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  // A loop that runs once.
  scf.for %i = %c0 to %c1 step %c1 {
    // CHECK: trn.alloc : memref<128x64xbf16
    %loaded = trn.alloc : memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %loaded : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  }
  scf.for %i = %c0 to %c64 step %c1 {
    // Decided already, or placed.
    // CHECK: trn.alloc buffers 3 : memref<128x64xbf16
    // CHECK: trn.alloc offset 4096 : memref<128x64xbf16
    %three = trn.alloc buffers 3 : memref<128x64xbf16, #sbuf>
    %placed = trn.alloc offset 4096 : memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %three : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
    trn.dma_copy %x to %placed : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  }
  return
}
