// RUN: trn-opt %s --trn-fold-partitions --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>

func.func private @row_unknown(
    // expected-note @below {{the value is defined here}}
    %row: index) attributes {trn.kernel} {
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  // expected-error @below {{uses a value that a kernel cannot compute}}
  %tile = memref.subview %b[%row, 0] [128, 8] [1, 1] : memref<256x8xf32, #sbuf> to memref<128x8xf32, strided<[8, 1], offset: ?>, #sbuf>
  trn.memset %tile, 0.0 : memref<128x8xf32, strided<[8, 1], offset: ?>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @step_no_multiple() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  scf.for %row = %c0 to %c256 step %c64 {
    // expected-error @below {{starts at a row that is not the same modulo 128 in all iterations; loops over rows must advance by multiples of it}}
    %tile = memref.subview %b[%row, 0] [64, 8] [1, 1] : memref<256x8xf32, #sbuf> to memref<64x8xf32, strided<[8, 1], offset: ?>, #sbuf>
    trn.memset %tile, 0.0 : memref<64x8xf32, strided<[8, 1], offset: ?>, #sbuf>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @view_crosses_tiles() attributes {trn.kernel} {
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  %rows = memref.subview %b[96, 0] [64, 8] [1, 1] : memref<256x8xf32, #sbuf> to memref<64x8xf32, strided<[8, 1], offset: 768>, #sbuf>
  // expected-error @below {{uses a view of 64 rows that starts at row 96 of a tile and leaves its 128 rows}}
  trn.memset %rows, 0.0 : memref<64x8xf32, strided<[8, 1], offset: 768>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @too_many_rows_for_the_op(%x: memref<8x256xbf16>) attributes {trn.kernel} {
  // expected-note @below {{the buffer}}
  %b = trn.alloc : memref<256x8xbf16, #sbuf>
  // expected-error @below {{uses 256 rows of an on-chip buffer, but only trn.dma_copy and trn.memset take more than 128}}
  trn.dma_transpose %x to %b : memref<8x256xbf16> to memref<256x8xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @strided_view() attributes {trn.kernel} {
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  // expected-error @below {{takes a view of a folded buffer that is not a block of rows and columns with static sizes}}
  %rows = memref.subview %b[0, 0] [128, 8] [2, 1] : memref<256x8xf32, #sbuf> to memref<128x8xf32, strided<[16, 1]>, #sbuf>
  trn.memset %rows, 0.0 : memref<128x8xf32, strided<[16, 1]>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @carried_by_a_loop() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = trn.alloc : memref<256x8xf32, #sbuf>
  // expected-error @below {{carries 1 values between iterations, but the loops of a kernel carry none}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %b) -> memref<256x8xf32, #sbuf> {
    scf.yield %a : memref<256x8xf32, #sbuf>
  }
  return
}
