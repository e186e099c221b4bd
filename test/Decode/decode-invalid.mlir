// RUN: trn-opt %s --trn-print-program --split-input-file --verify-diagnostics -o /dev/null

// expected-error @below {{argument #0 is 'tensor<4xf32>', but the arguments of a kernel are memrefs in HBM}}
func.func private @kernel_c3__tensor(%x: tensor<4xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #0 is 'memref<4xf32, #trn.mem<sbuf>>', but the arguments of a kernel are memrefs in HBM}}
func.func private @kernel_c3__on_chip(%x: memref<4xf32, #trn.mem<sbuf>>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #1 is 'memref<?xf32>', but the buffers of a kernel have a static shape and the identity layout}}
func.func private @kernel_c3__dynamic(%x: memref<4xf32>, %y: memref<?xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #0 has element type 'i64', but a kernel computes with bf16, f16, f32, i32 and ui32}}
func.func private @kernel_c3__integer(%x: memref<4xi64>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{which is larger than any memory}}
func.func private @kernel_c3__enormous(%x: memref<4611686018427387904x8xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{returns 1 values, but the results of a kernel are trailing memref arguments marked trn.result}}
func.func private @kernel_c2__returns(%x: memref<4xf32>) -> memref<4xf32> attributes {trn.kernel} {
  return %x : memref<4xf32>
}

// -----

func.func private @virtual_c1__foreign_op(%x: memref<4xf32>) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  // expected-error @above {{'arith.constant' op cannot be in a kernel, which holds trn instructions and buffers, scf.for with constant bounds, index arithmetic and static views}}
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  return
}

// -----

func.func private @placed_c1__unplaced() attributes {trn.kernel} {
  // expected-error @below {{has no offset, but a kernel that runs is placed; run trn-place-buffers first}}
  %tile = trn.alloc : memref<128x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @placed_c1__unplaced_psum() attributes {trn.kernel} {
  // expected-error @below {{has no bank and offset, but a kernel that runs is placed; run trn-place-buffers first}}
  %tile = trn.alloc : memref<128x4xf32, #trn.mem<psum>>
  return
}

// -----

func.func private @placed_c2__unfolded() attributes {trn.kernel} {
  // expected-error @below {{buffer has 256 partitions, but trn1 has 128; run trn-fold-partitions first}}
  %tile = trn.alloc offset 0 : memref<256x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @virtual_c3__carried_value(%x: memref<4xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{carries 1 values between iterations, but the loops of a kernel carry none}}
  %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%sum = %c0) -> (index) {
    scf.yield %sum : index
  }
  return
}

// -----

func.func private @virtual_c2__triangular() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{runs a number of times that depends on other loops, but the loops of a kernel have constant trip counts}}
    scf.for %j = %c0 to %i step %c1 {
    }
  }
  return
}

// -----

func.func private @virtual_c5__zero_step() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{has step 0, but a step is at least 1}}
  scf.for %i = %c0 to %c4 step %c0 {
  }
  return
}

// -----

func.func private @address_c1__nonlinear_offset(%x: memref<64xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{is not a linear function of the loop counters, as every address in a kernel must be}}
    %square = arith.muli %i, %i : index
    %part = memref.subview %x[%square] [4] [1]
        : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-note @below {{needed here}}
    trn.dma_copy %part to %y : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  return
}

// -----

func.func private @view_c3__skipped_partitions(%x: memref<64x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{skips partitions, which no engine can}}
  %even = memref.subview %tile[0, 0] [64, 4] [2, 1]
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<64x4xf32, strided<[8, 1]>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %even : memref<64x4xf32> to memref<64x4xf32, strided<[8, 1]>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @view_c3__dropped_partition(%x: memref<4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{splits, merges or drops the partition dimension of an on-chip buffer}}
  %row = memref.subview %tile[3, 0] [1, 4] [1, 1]
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<4xf32, strided<[1], offset: 12>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %row : memref<4xf32> to memref<4xf32, strided<[1], offset: 12>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @view_c3__partition_moved(%x: memref<4x128xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  %turned = memref.transpose %tile (p, f) -> (f, p)
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<4x128xf32, strided<[1, 4]>, #trn.mem<sbuf>>
  // expected-error @below {{uses a view whose dimension 1 is the partition, but on chip that must be dimension 0}}
  trn.dma_copy %x to %turned : memref<4x128xf32> to memref<4x128xf32, strided<[1, 4]>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @free_c1__view() attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  %view = memref.cast %tile : memref<128x4xf32, #trn.mem<sbuf>> to memref<128x?xf32, #trn.mem<sbuf>>
  %same = memref.cast %view : memref<128x?xf32, #trn.mem<sbuf>> to memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{frees a view, but only the result of an alloc in the kernel can be freed}}
  trn.dealloc %same : memref<128x4xf32, #trn.mem<sbuf>>
  return
}

// -----

// expected-error @below {{has 2 blocks, but a kernel is a single block}}
func.func private @kernel_c5__blocks() attributes {trn.kernel} {
  return
^unreachable:
  return
}

// -----

func.func private @free_c1__argument(%x: memref<4xf32>) attributes {trn.kernel} {
  // expected-error @below {{frees an argument, but only the result of an alloc in the kernel can be freed}}
  memref.dealloc %x : memref<4xf32>
  return
}

// -----

func.func private @view_c1__row_runs_into_the_next(%x: memref<4x8xf32>, %y: memref<3x8xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    // expected-error @below {{reaches elements 0 to 8 of dimension 1 of its source, which has 8 of them; a view stays inside of its source}}
    %part = memref.subview %x[0, %i] [3, 8] [1, 1]
        : memref<4x8xf32> to memref<3x8xf32, strided<[8, 1], offset: ?>>
    // expected-note @below {{needed here}}
    trn.dma_copy %part to %y : memref<3x8xf32, strided<[8, 1], offset: ?>> to memref<3x8xf32>
  }
  return
}

// -----

func.func private @view_c1__view_leaves_another_view(%x: memref<64x8xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c96 = arith.constant 96 : index
  %tile = trn.alloc offset 0 : memref<128x8xf32, #trn.mem<sbuf>>
  %lower = memref.subview %tile[0, 0] [64, 8] [1, 1]
      : memref<128x8xf32, #trn.mem<sbuf>> to memref<64x8xf32, strided<[8, 1]>, #trn.mem<sbuf>>
  %from = memref.subview %x[0, 0] [32, 8] [1, 1] : memref<64x8xf32> to memref<32x8xf32, strided<[8, 1]>>
  scf.for %i = %c0 to %c96 step %c32 {
    // expected-error @below {{reaches elements 0 to 95 of dimension 0 of its source, which has 64 of them}}
    %rows = memref.subview %lower[%i, 0] [32, 8] [1, 1]
        : memref<64x8xf32, strided<[8, 1]>, #trn.mem<sbuf>> to memref<32x8xf32, strided<[8, 1], offset: ?>, #trn.mem<sbuf>>
    // expected-note @below {{needed here}}
    trn.dma_copy %from to %rows : memref<32x8xf32, strided<[8, 1]>> to memref<32x8xf32, strided<[8, 1], offset: ?>, #trn.mem<sbuf>>
  }
  return
}

// -----

func.func private @view_c1__runs_backwards_beyond_the_start(%x: memref<8xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c2 = arith.constant 2 : index
  // expected-error @below {{reaches elements -1 to 2 of dimension 0 of its source, which has 8 of them}}
  %part = memref.subview %x[%c2] [4] [-1] : memref<8xf32> to memref<4xf32, strided<[-1], offset: ?>>
  // expected-note @below {{needed here}}
  trn.dma_copy %part to %y : memref<4xf32, strided<[-1], offset: ?>> to memref<4xf32>
  return
}

// -----

func.func private @view_c2__size_varies(%x: memref<8xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{has a dynamic size or stride, but every view in a kernel is static}}
    %part = memref.subview %x[0] [%i] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
    %cast = memref.cast %part : memref<?xf32, strided<[1]>> to memref<4xf32, strided<[1]>>
    // expected-note @below {{needed here}}
    trn.dma_copy %cast to %y : memref<4xf32, strided<[1]>> to memref<4xf32>
  }
  return
}

// -----

func.func private @view_c3__reinterpreted_partitions(%x: memref<64x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x8xf32, #trn.mem<sbuf>>
  // expected-error @below {{steps over 16 elements from one partition to the next, but partitions of its buffer have 8}}
  %other = memref.reinterpret_cast %tile to offset: [0], sizes: [64, 4], strides: [16, 2]
      : memref<128x8xf32, #trn.mem<sbuf>> to memref<64x4xf32, strided<[16, 2]>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %other : memref<64x4xf32> to memref<64x4xf32, strided<[16, 2]>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @view_c1__reinterpreted_beyond_its_partition(%x: memref<128x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x8xf32, #trn.mem<sbuf>>
  // expected-error @below {{reaches elements 2 to 8 of a partition of its buffer, which has 8 of them}}
  %other = memref.reinterpret_cast %tile to offset: [2], sizes: [128, 4], strides: [8, 2]
      : memref<128x8xf32, #trn.mem<sbuf>> to memref<128x4xf32, strided<[8, 2], offset: 2>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %other : memref<128x4xf32> to memref<128x4xf32, strided<[8, 2], offset: 2>, #trn.mem<sbuf>>
  return
}

// -----

// Elements 0 to 15: the last iterations would be in the next partition.
func.func private @view_c1__reinterpreted_across_partitions(%x: memref<1x2xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %tile = trn.alloc offset 0 : memref<128x8xf32, #trn.mem<sbuf>>
  scf.for %i = %c0 to %c16 step %c2 {
    // expected-error @below {{reaches elements 0 to 15 of a partition of its buffer, which has 8 of them}}
    %other = memref.reinterpret_cast %tile to offset: [%i], sizes: [1, 2], strides: [8, 1]
        : memref<128x8xf32, #trn.mem<sbuf>> to memref<1x2xf32, strided<[8, 1], offset: ?>, #trn.mem<sbuf>>
    // expected-note @below {{needed here}}
    trn.dma_copy %x to %other : memref<1x2xf32> to memref<1x2xf32, strided<[8, 1], offset: ?>, #trn.mem<sbuf>>
  }
  return
}

// -----

func.func private @view_c1__reinterpreted_beyond_the_partitions(%x: memref<64x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<96x8xf32, #trn.mem<sbuf>>
  // expected-error @below {{reaches partitions 64 to 127 of its buffer, which has 96 of them}}
  %other = memref.reinterpret_cast %tile to offset: [512], sizes: [64, 4], strides: [8, 1]
      : memref<96x8xf32, #trn.mem<sbuf>> to memref<64x4xf32, strided<[8, 1], offset: 512>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %other : memref<64x4xf32> to memref<64x4xf32, strided<[8, 1], offset: 512>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @view_c4__other_memory(%x: memref<128x4xf32>, %y: memref<128x4xf32> {trn.result})
    attributes {trn.kernel} {
  // expected-error @below {{changes the memory; use trn.dma_copy}}
  %tile = memref.memory_space_cast %x : memref<128x4xf32> to memref<128x4xf32, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %tile to %y : memref<128x4xf32, #trn.mem<sbuf>> to memref<128x4xf32>
  return
}

// -----

func.func private @address_c2__sum_overflows(%x: memref<8xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %far = arith.constant 4611686018427387904 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{may overflow its integer type}}
    %next = arith.addi %far, %i : index
    %back = arith.subi %next, %far : index
    %part = memref.subview %x[%back] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-note @below {{needed here}}
    trn.dma_copy %part to %y : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  return
}

// -----

func.func private @address_c2__enormous_number(%x: memref<8xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c2 = arith.constant 2 : index
  %last = arith.constant 9223372036854775807 : index
  // expected-error @below {{computes with numbers beyond 2^62, and may overflow}}
  %twice = arith.muli %last, %c2 : index
  %part = memref.subview %x[%twice] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  // expected-note @below {{needed here}}
  trn.dma_copy %part to %y : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  return
}

// -----

func.func private @virtual_c6__unsigned_bounds() attributes {trn.kernel} {
  %l = arith.constant 0 : i8
  %u = arith.constant -56 : i8
  %s = arith.constant 100 : i8
  // expected-error @below {{compares as unsigned, but its bounds may be negative; use index, or a wider integer type}}
  scf.for unsigned %i = %l to %u step %s : i8 {
  }
  return
}

// -----

func.func private @virtual_c7__too_many_iterations() attributes {trn.kernel} {
  %first = arith.constant -9223372036854775808 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{has bounds that are further apart than 2^63 - 1, the largest number of iterations}}
  scf.for %i = %first to %c0 step %c1 {
  }
  return
}
