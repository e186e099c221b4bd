// RUN: trn-opt %s --trn-verify-level=level=placed --split-input-file --verify-diagnostics

func.func private @placed_c1__no_address() attributes {trn.kernel} {
  // expected-error @below {{every buffer of a placed program has an address, but this one has none; run trn-place-buffers}}
  %tile = trn.alloc : memref<128x512xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @placed_c2__too_many_partitions() attributes {trn.kernel} {
  // expected-error @below {{has 256 partitions, but trn1 has 128; run trn-fold-partitions}}
  %tile = trn.alloc offset 0 : memref<256x512xf32, #trn.mem<sbuf>>
  return
}

// -----

// 2 slots of 40000 elements, 4 bytes each, end at 320000; trn1 has 176 KiB.
func.func private @placed_c3__beyond_sbuf() attributes {trn.kernel} {
  // expected-error @below {{ends at byte 320000 of a partition, but trn1 has 180224 usable ones}}
  %tile = trn.alloc buffers 2 offset 0 : memref<128x40000xf32, #trn.mem<sbuf>>
  return
}

// -----

module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 393216 : i64}>} {
  func.func private @placed_c3__fits_a_larger_machine() attributes {trn.kernel} {
    %tile = trn.alloc buffers 2 offset 0 : memref<128x40000xf32, #trn.mem<sbuf>>
    return
  }
}

// -----

func.func private @placed_c3__enormous() attributes {trn.kernel} {
  // expected-error @below {{ends at byte 9223372036854775807 of a partition, but trn1 has 180224 usable ones}}
  %tile = trn.alloc buffers 9223372036854775807 offset 4 : memref<128x1000000x1000000xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @placed_c4__beyond_the_banks() attributes {trn.kernel} {
  // expected-error @below {{takes 4 banks from bank 6, but trn1 has 8}}
  %sums = trn.alloc buffers 4 bank 6 offset 0 : memref<128x512xf32, #trn.mem<psum>>
  return
}

// -----

func.func private @placed_c4__tiles_of_two_banks() attributes {trn.kernel} {
  // expected-error @below {{takes 6 banks from bank 4, but trn1 has 8}}
  %sums = trn.alloc buffers 3 bank 4 offset 0 : memref<128x1024xf32, #trn.mem<psum>>
  return
}

// -----

func.func private @placed_c5__across_banks() attributes {trn.kernel} {
  // expected-error @below {{a psum tile lies inside of one bank or begins at byte 0 of several, but this one takes 2048 bytes from byte 1024, and a bank of trn1 has 2048; use a smaller tile or offset 0}}
  %sums = trn.alloc bank 0 offset 1024 : memref<128x512xf32, #trn.mem<psum>>
  return
}

// -----

func.func private @placed_c5__large_tile() attributes {trn.kernel} {
  // expected-error @below {{a psum tile lies inside of one bank or begins at byte 0 of several, but this one takes 4096 bytes from byte 4, and a bank of trn1 has 2048; use a smaller tile or offset 0}}
  %sums = trn.alloc bank 0 offset 4 : memref<128x1024xf32, #trn.mem<psum>>
  return
}

// -----

#psum = #trn.mem<psum>
func.func private @placed_c6__second_bank() attributes {trn.kernel} {
  // expected-note @below {{the other buffer}}
  %wide = trn.alloc buffers 2 bank 0 offset 0 : memref<128x1024xf32, #psum>
  // expected-error @below {{buffers that are live together must not overlap, but this one takes bytes [0, 2048) of bank 3, and the other one takes bytes [0, 4096) of banks 0 to 3}}
  %tile = trn.alloc bank 3 offset 0 : memref<128x512xf32, #psum>
  trn.dealloc %tile : memref<128x512xf32, #psum>
  // expected-note @below {{the last use of the other buffer}}
  trn.dealloc %wide : memref<128x1024xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @placed_c6__overlap() attributes {trn.kernel} {
  // expected-note @below {{the other buffer}}
  %first = trn.alloc buffers 2 offset 0 : memref<128x512xf32, #sbuf>
  // expected-error @below {{buffers that are live together must not overlap, but this one takes bytes [4092, 6140) of a partition, and the other one takes bytes [0, 4096) of a partition}}
  %second = trn.alloc offset 4092 : memref<128x512xf32, #sbuf>
  trn.memset %second, 0.0 : memref<128x512xf32, #sbuf> on vector
  // expected-note @below {{the last use of the other buffer}}
  trn.memset %first, 0.0 : memref<128x512xf32, #sbuf> on vector
  return
}

// -----

#psum = #trn.mem<psum>
func.func private @placed_c6__overlap_in_a_bank() attributes {trn.kernel} {
  // expected-note @below {{the other buffer}}
  %first = trn.alloc buffers 3 bank 0 offset 0 : memref<128x256xf32, #psum>
  // expected-error @below {{buffers that are live together must not overlap}}
  %second = trn.alloc bank 2 offset 1020 : memref<128x256xf32, #psum>
  trn.memset %second, 0.0 : memref<128x256xf32, #psum> on vector
  // expected-note @below {{the last use of the other buffer}}
  trn.memset %first, 0.0 : memref<128x256xf32, #psum> on vector
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @placed_c7__no_engine() attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
  // expected-error @below {{every instruction of a placed program has an engine, but this one has none; run trn-assign-engines}}
  trn.memset %tile, 0.0 : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @access_c1__outside_of_an_argument(%x: memref<256x64xf32>) attributes {trn.kernel} {
  // expected-note @above {{the buffer}}
  %c0 = arith.constant 0 : index
  %c8192 = arith.constant 8192 : index
  %c32768 = arith.constant 32768 : index
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  scf.for %i = %c0 to %c32768 step %c8192 {
    %rows = memref.reinterpret_cast %x to offset: [%i], sizes: [128, 64], strides: [64, 1]
        : memref<256x64xf32> to memref<128x64xf32, strided<[64, 1], offset: ?>>
    // expected-error @below {{reads element 32767, but the buffer has 16384 of them}}
    trn.dma_copy %rows to %tile : memref<128x64xf32, strided<[64, 1], offset: ?>> to memref<128x64xf32, #sbuf>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @access_c2__start_partition() attributes {trn.kernel} {
  // expected-note @below {{the buffer}}
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  %rows = memref.subview %tile[32, 0] [64, 64] [1, 1] : memref<128x64xf32, #sbuf> to memref<64x64xf32, strided<[64, 1], offset: 2048>, #sbuf>
  // expected-error @below {{writes 64 partitions of sbuf, which must start at a multiple of 64, but start at partition 32}}
  trn.memset %rows, 0.0 : memref<64x64xf32, strided<[64, 1], offset: 2048>, #sbuf> on vector
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @access_c2__start_partition_varies() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c128 = arith.constant 128 : index
  // expected-note @below {{the buffer}}
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  scf.for %i = %c0 to %c128 step %c16 {
    %rows = memref.subview %tile[%i, 0] [16, 64] [1, 1] : memref<128x64xf32, #sbuf> to memref<16x64xf32, strided<[64, 1], offset: ?>, #sbuf>
    // expected-error @below {{writes 16 partitions of sbuf, which must start at a multiple of 32, but start at partitions 0 to 112 in steps that are not multiples of it}}
    trn.memset %rows, 0.0 : memref<16x64xf32, strided<[64, 1], offset: ?>, #sbuf> on vector
  }
  return
}

// -----

// NeuronCore-v2 has halves of 64 columns, but no quarters.
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @access_c7__quarter_of_the_columns() attributes {trn.kernel} {
  %x = trn.alloc offset 0 : memref<128x32xf32, #sbuf>
  // expected-note @below {{the buffer}}
  %bank = trn.alloc bank 0 offset 0 : memref<128x32xf32, #psum>
  %rows = memref.subview %bank[32, 0] [32, 32] [1, 1] : memref<128x32xf32, #psum> to memref<32x32xf32, strided<[32, 1], offset: 1024>, #psum>
  // expected-error @below {{writes 32 partitions of psum that do not start at a multiple of 64, but the tensor engine of trn1 writes partition by column, and parts of its columns start at multiples of 64}}
  trn.matmul stationary(%x : memref<128x32xf32, #sbuf>) moving(%x : memref<128x32xf32, #sbuf>) into %rows : memref<32x32xf32, strided<[32, 1], offset: 1024>, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn1", {sbuf_free_max = 256 : i64}>} {
  func.func private @access_c3__too_many_elements() attributes {trn.kernel} {
    // expected-note @below {{the buffer}}
    %tile = trn.alloc offset 0 : memref<128x2x512xf32, #sbuf>
    // expected-error @below {{writes 1024 elements of a partition of sbuf, but one instruction reaches at most 256; split it}}
    trn.memset %tile, 0.0 : memref<128x2x512xf32, #sbuf> on vector
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn1", {access_dims_max = 1 : i64}>} {
  func.func private @access_c4__too_many_dimensions() attributes {trn.kernel} {
    // expected-note @below {{the buffer}}
    %tile = trn.alloc offset 0 : memref<128x2x512xf32, #sbuf>
    %left = memref.subview %tile[0, 0, 0] [128, 2, 256] [1, 1, 1] : memref<128x2x512xf32, #sbuf> to memref<128x2x256xf32, strided<[1024, 512, 1]>, #sbuf>
    // expected-error @below {{writes 2 strided dimensions of a partition, but one instruction walks over at most 1; split it}}
    trn.memset %left, 0.0 : memref<128x2x256xf32, strided<[1024, 512, 1]>, #sbuf> on vector
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @access_c5__too_far_apart() attributes {trn.kernel} {
  // expected-note @below {{the buffer}}
  %tile = trn.alloc offset 0 : memref<128x2x40000xbf16, #sbuf>
  %left = memref.subview %tile[0, 0, 0] [128, 2, 256] [1, 1, 1] : memref<128x2x40000xbf16, #sbuf> to memref<128x2x256xbf16, strided<[80000, 40000, 1]>, #sbuf>
  // expected-error @below {{writes elements that are 40000 apart in a partition, but one instruction steps over at most 32767; split it}}
  trn.memset %left, 0.0 : memref<128x2x256xbf16, strided<[80000, 40000, 1]>, #sbuf> on vector
  return
}

// -----

func.func private @access_c6__transfer_writes_twice(%x: memref<4x8xf32>, %y: memref<32xf32> {trn.result}) attributes {trn.kernel} {
  // expected-note @above {{the buffer}}
  %rows = memref.reinterpret_cast %y to offset: [0], sizes: [4, 8], strides: [7, 1]
      : memref<32xf32> to memref<4x8xf32, strided<[7, 1]>>
  // expected-error @below {{writes an element more than once, so that the order of elements would decide about its value; use strides that keep them apart}}
  trn.dma_copy %x to %rows : memref<4x8xf32> to memref<4x8xf32, strided<[7, 1]>>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @access_c6__engine_writes_twice() attributes {trn.kernel} {
  // expected-note @below {{the buffer}}
  %tile = trn.alloc offset 0 : memref<128x64xf32, #sbuf>
  %first = memref.subview %tile[0, 0] [128, 8] [1, 0] : memref<128x64xf32, #sbuf> to memref<128x8xf32, strided<[64, 0]>, #sbuf>
  // expected-error @below {{writes an element more than once}}
  trn.memset %first, 0.0 : memref<128x8xf32, strided<[64, 0]>, #sbuf> on vector
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c1__not_started() attributes {trn.kernel} {
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 128 : memref<128x512xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %sums = trn.alloc bank 3 offset 0 : memref<64x512xf32, #psum>
  %true = arith.constant true
  // expected-error @below {{accumulates into PSUM bank 3, where no group was started; the first matmul of a group must overwrite}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x512xbf16, #sbuf>)
             into %sums : memref<64x512xf32, #psum> accumulate(%true)
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c2__beyond_the_group() attributes {trn.kernel} {
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 128 : memref<128x256xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %sums = trn.alloc bank 0 offset 0 : memref<64x256xf32, #psum>
  %true = arith.constant true
  %left = memref.subview %sums[0, 0] [64, 128] [1, 1] : memref<64x256xf32, #psum> to memref<64x128xf32, strided<[256, 1]>, #psum>
  %half = memref.subview %x[0, 0] [128, 128] [1, 1] : memref<128x256xbf16, #sbuf> to memref<128x128xbf16, strided<[256, 1]>, #sbuf>
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x256xbf16, #sbuf>) into %sums : memref<64x256xf32, #psum>
  // expected-note @below {{this matmul opened the group}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%half : memref<128x128xbf16, strided<[256, 1]>, #sbuf>) into %left : memref<64x128xf32, strided<[256, 1]>, #psum>
  // expected-error @below {{accumulates into PSUM bank 0 beyond the group that is open there; a matmul adds inside of what one matmul has started}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x256xbf16, #sbuf>) into %sums : memref<64x256xf32, #psum> accumulate(%true)
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c3__on_a_memset() attributes {trn.kernel} {
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 128 : memref<128x512xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %sums = trn.alloc bank 0 offset 0 : memref<64x512xf32, #psum>
  // expected-note @below {{this instruction wrote it}}
  trn.memset %sums, 0.0 : memref<64x512xf32, #psum> on vector
  %true = arith.constant true
  // expected-error @below {{accumulates into PSUM bank 0, which another instruction wrote; only a matmul that overwrites starts a group}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x512xbf16, #sbuf>)
             into %sums : memref<64x512xf32, #psum> accumulate(%true)
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c3__in_the_second_bank() attributes {trn.kernel} {
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 128 : memref<128x512xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %sums = trn.alloc bank 2 offset 0 : memref<64x1024xf32, #psum>
  // expected-note @below {{this instruction wrote it}}
  trn.memset %sums, 0.0 : memref<64x1024xf32, #psum> on vector
  %second = memref.subview %sums[0, 512] [64, 512] [1, 1] : memref<64x1024xf32, #psum> to memref<64x512xf32, strided<[1024, 1], offset: 512>, #psum>
  %true = arith.constant true
  // expected-error @below {{accumulates into PSUM bank 3, which another instruction wrote}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x512xbf16, #sbuf>)
             into %second : memref<64x512xf32, strided<[1024, 1], offset: 512>, #psum> accumulate(%true)
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c4__product_in_two_banks() attributes {trn.kernel} {
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 128 : memref<128x512xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %sums = trn.alloc bank 2 offset 0 : memref<64x1024xf32, #psum>
  %middle = memref.subview %sums[0, 256] [64, 512] [1, 1] : memref<64x1024xf32, #psum> to memref<64x512xf32, strided<[1024, 1], offset: 256>, #psum>
  // expected-error @below {{writes PSUM banks 2 to 3, but the tensor engine writes inside one bank; split it}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>) moving(%x : memref<128x512xbf16, #sbuf>)
             into %middle : memref<64x512xf32, strided<[1024, 1], offset: 256>, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @group_c4__transposition_in_two_banks() attributes {trn.kernel} {
  %x = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  // expected-note @below {{this buffer}}
  %turned = trn.alloc bank 0 offset 0 : memref<64x1024xf32, #psum>
  %middle = memref.subview %turned[0, 448] [64, 128] [1, 1] : memref<64x1024xf32, #psum> to memref<64x128xf32, strided<[1024, 1], offset: 448>, #psum>
  // expected-error @below {{writes PSUM banks 0 to 1, but the tensor engine writes inside one bank; split it}}
  trn.transpose %x into %middle : memref<128x64xbf16, #sbuf> to memref<64x128xf32, strided<[1024, 1], offset: 448>, #psum> on tensor
  return
}
