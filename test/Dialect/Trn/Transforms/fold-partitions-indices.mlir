// RUN: trn-opt %s --trn-fold-partitions | FileCheck %s

// Views that begin at one row share the index of their tile, and the row goes
// if nothing else needs it.

#sbuf = #trn.mem<sbuf>

// CHECK-DAG: #[[ROW:.*]] = affine_map<(d0) -> (d0 * 128)>
// CHECK-DAG: #[[TILE:.*]] = affine_map<(d0) -> (d0 + 1)>

// CHECK-LABEL: @shared_index
// CHECK: %[[B:.*]] = trn.alloc : memref<128x3x64xbf16
// CHECK: scf.for %[[I:.*]] =
// CHECK-NEXT: %[[T:.*]] = affine.apply #[[TILE]](%[[I]])
// CHECK-NEXT: memref.subview %[[B]][0, %[[T]], 0] [128, 1, 32]
// CHECK-NEXT: memref.subview %[[B]][0, %[[T]], 32] [128, 1, 32]
// CHECK-NEXT: trn.tensor_copy
func.func private @shared_index() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %b = trn.alloc : memref<384x64xbf16, #sbuf>
  scf.for %i = %c0 to %c2 step %c1 {
    %row = affine.apply affine_map<(d0) -> (d0 * 128 + 128)>(%i)
    %left = memref.subview %b[%row, 0] [128, 32] [1, 1]
        : memref<384x64xbf16, #sbuf> to memref<128x32xbf16, strided<[64, 1], offset: ?>, #sbuf>
    %right = memref.subview %b[%row, 32] [128, 32] [1, 1]
        : memref<384x64xbf16, #sbuf> to memref<128x32xbf16, strided<[64, 1], offset: ?>, #sbuf>
    trn.tensor_copy %left into %right
        : memref<128x32xbf16, strided<[64, 1], offset: ?>, #sbuf>
       to memref<128x32xbf16, strided<[64, 1], offset: ?>, #sbuf>
  }
  return
}

// CHECK-LABEL: @row_stays
// CHECK: scf.for %[[I:.*]] =
// CHECK: %[[R:.*]] = affine.apply #[[ROW]](%[[I]])
// CHECK: memref.subview %{{.*}}[%[[R]], 0] [128, 64]
// CHECK: memref.subview %{{.*}}[0, %[[I]], 0] [128, 1, 64]
func.func private @row_stays(%x: memref<384x64xbf16>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %b = trn.alloc : memref<384x64xbf16, #sbuf>
  scf.for %i = %c0 to %c3 step %c1 {
    %row = affine.apply affine_map<(d0) -> (d0 * 128)>(%i)
    %from = memref.subview %x[%row, 0] [128, 64] [1, 1]
        : memref<384x64xbf16> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
    %to = memref.subview %b[%row, 0] [128, 64] [1, 1]
        : memref<384x64xbf16, #sbuf> to memref<128x64xbf16, strided<[64, 1], offset: ?>, #sbuf>
    trn.dma_copy %from to %to : memref<128x64xbf16, strided<[64, 1], offset: ?>>
        to memref<128x64xbf16, strided<[64, 1], offset: ?>, #sbuf>
  }
  return
}
