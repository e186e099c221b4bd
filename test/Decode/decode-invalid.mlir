// RUN: trn-opt %s --trn-print-program --split-input-file --verify-diagnostics -o /dev/null

// expected-error @below {{argument #0 is 'tensor<4xf32>', but the arguments of a kernel are memrefs in HBM}}
func.func private @tensor_argument(%x: tensor<4xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #0 is 'memref<4xf32, #trn.mem<sbuf>>', but the arguments of a kernel are memrefs in HBM}}
func.func private @on_chip_argument(%x: memref<4xf32, #trn.mem<sbuf>>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #1 is 'memref<?xf32>', but the buffers of a kernel have a static shape and the identity layout}}
func.func private @dynamic_argument(%x: memref<4xf32>, %y: memref<?xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #0 has element type 'i32', but a kernel computes with bf16, f16 and f32}}
func.func private @integer_argument(%x: memref<4xi32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{which is larger than any memory}}
func.func private @enormous_argument(%x: memref<4611686018427387904x8xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{returns 1 values, but the results of a kernel are trailing memref arguments marked trn.result}}
func.func private @returns(%x: memref<4xf32>) -> memref<4xf32> attributes {trn.kernel} {
  return %x : memref<4xf32>
}

// -----

func.func private @foreign_op(%x: memref<4xf32>) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  // expected-error @above {{'arith.constant' op cannot be in a kernel, which holds trn instructions and buffers, scf.for with constant bounds, index arithmetic and static views}}
  linalg.fill ins(%zero : f32) outs(%x : memref<4xf32>)
  return
}

// -----

func.func private @unplaced() attributes {trn.kernel} {
  // expected-error @below {{has no offset, but a kernel that runs is placed; run trn-place-buffers first}}
  %tile = trn.alloc : memref<128x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @unplaced_psum() attributes {trn.kernel} {
  // expected-error @below {{has no bank and offset, but a kernel that runs is placed; run trn-place-buffers first}}
  %tile = trn.alloc : memref<128x4xf32, #trn.mem<psum>>
  return
}

// -----

func.func private @unfolded() attributes {trn.kernel} {
  // expected-error @below {{buffer has 256 partitions, but trn1 has 128; run trn-fold-partitions first}}
  %tile = trn.alloc offset 0 : memref<256x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @carried_value(%x: memref<4xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{carries 1 values between iterations, but the loops of a kernel carry none}}
  %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%sum = %c0) -> (index) {
    scf.yield %sum : index
  }
  return
}

// -----

func.func private @triangular() attributes {trn.kernel} {
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

func.func private @zero_step() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{has step 0, but a step is at least 1}}
  scf.for %i = %c0 to %c4 step %c0 {
  }
  return
}

// -----

func.func private @nonlinear_offset(%x: memref<64xf32>, %y: memref<4xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %square = arith.muli %i, %i : index
    // expected-error @below {{has an offset that is not a linear function of the loop counters, as every address in a kernel must be}}
    %part = memref.subview %x[%square] [4] [1]
        : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
    // expected-note @below {{needed here}}
    trn.dma_copy %part to %y : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  }
  return
}

// -----

func.func private @skipped_partitions(%x: memref<64x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{skips partitions, which no engine can}}
  %even = memref.subview %tile[0, 0] [64, 4] [2, 1]
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<64x4xf32, strided<[8, 1]>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %even : memref<64x4xf32> to memref<64x4xf32, strided<[8, 1]>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @dropped_partition(%x: memref<4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{splits, merges or drops the partition dimension of an on-chip buffer}}
  %row = memref.subview %tile[3, 0] [1, 4] [1, 1]
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<4xf32, strided<[1], offset: 12>, #trn.mem<sbuf>>
  // expected-note @below {{needed here}}
  trn.dma_copy %x to %row : memref<4xf32> to memref<4xf32, strided<[1], offset: 12>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @partition_moved(%x: memref<4x128xf32>) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  %turned = memref.transpose %tile (p, f) -> (f, p)
      : memref<128x4xf32, #trn.mem<sbuf>> to memref<4x128xf32, strided<[1, 4]>, #trn.mem<sbuf>>
  // expected-error @below {{uses a view whose dimension 1 is the partition, but on chip that must be dimension 0}}
  trn.dma_copy %x to %turned : memref<4x128xf32> to memref<4x128xf32, strided<[1, 4]>, #trn.mem<sbuf>>
  return
}

// -----

func.func private @freed_view() attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<128x4xf32, #trn.mem<sbuf>>
  %view = memref.cast %tile : memref<128x4xf32, #trn.mem<sbuf>> to memref<128x?xf32, #trn.mem<sbuf>>
  %same = memref.cast %view : memref<128x?xf32, #trn.mem<sbuf>> to memref<128x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{frees a view, but only the result of a trn.alloc can be freed}}
  trn.dealloc %same : memref<128x4xf32, #trn.mem<sbuf>>
  return
}

// -----

// expected-error @below {{has 2 blocks, but a kernel is a single block}}
func.func private @blocks() attributes {trn.kernel} {
  return
^unreachable:
  return
}
