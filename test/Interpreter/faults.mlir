// RUN: split-file %s %t
// RUN: not trn-run %t/rotated.mlir 2>&1 | FileCheck %s --check-prefix=ROTATED
// RUN: not trn-run %t/intruder.mlir 2>&1 | FileCheck %s --check-prefix=INTRUDER
// RUN: not trn-run %t/groups.mlir 2>&1 | FileCheck %s --check-prefix=GROUPS
// RUN: not trn-run %t/result.mlir 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not trn-run %t/input.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not trn-run %t/overlap.mlir 2>&1 | FileCheck %s --check-prefix=OVERLAP

// What only shows when a program runs, and who else took part in it; the rest
// is in test/Runtime/faults.mlir.

// The second iteration reads what the first one wrote.
// ROTATED: rotated.mlir:14:5: error: 'trn.dma_copy' op reads partition 0, byte 0 of a buffer, which was never written
// ROTATED: rotated.mlir:7:13: note: this buffer
// ROTATED: rotated.mlir:13:5: note: this wrote it before the alloc was executed again, which gave the slot to a new owner

// INTRUDER: intruder.mlir:11:3: error: 'trn.matmul' op accumulates into PSUM bank 0, which another instruction wrote; only a matmul that overwrites starts a group
// INTRUDER: intruder.mlir:10:3: note: this instruction wrote it
// INTRUDER: intruder.mlir:7:10: note: this buffer

// GROUPS: groups.mlir:14:3: error: 'trn.matmul' op accumulates into PSUM bank 0 beyond the group that is open there; a matmul adds inside of what one matmul has started
// GROUPS: groups.mlir:12:3: note: this matmul opened the group
// GROUPS: groups.mlir:7:8: note: this buffer

// RESULT: result.mlir:4:3: error: 'trn.dma_copy' op reads byte 0 of a result, which was never written
// RESULT: result.mlir:2:1: note: this buffer

// INPUT: input.mlir:5:3: error: 'trn.dma_copy' op writes argument 0, which is not a result
// INPUT: input.mlir:2:1: note: of this kernel

// OVERLAP: overlap.mlir:7:3: error: 'trn.tensor_copy' op reads and writes regions that overlap in part
// OVERLAP: overlap.mlir:3:11: note: in this buffer

//--- rotated.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
    %half = memref.subview %tile[0, 0] [2, 8] [1, 1] : memref<4x8xf32, #sbuf> to memref<2x8xf32, strided<[8, 1]>, #sbuf>
    %row = memref.subview %tile[%i, 0] [1, 8] [1, 1] : memref<4x8xf32, #sbuf> to memref<1x8xf32, strided<[8, 1], offset: ?>, #sbuf>
    %from = memref.subview %x[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1]>>
    %to = memref.subview %y[0, 0] [1, 8] [1, 1] : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1]>>
    %first = memref.subview %tile[0, 0] [1, 8] [1, 1] : memref<4x8xf32, #sbuf> to memref<1x8xf32, strided<[8, 1]>, #sbuf>
    trn.dma_copy %from to %row : memref<1x8xf32, strided<[8, 1]>> to memref<1x8xf32, strided<[8, 1], offset: ?>, #sbuf>
    trn.dma_copy %first to %to : memref<1x8xf32, strided<[8, 1]>, #sbuf> to memref<1x8xf32, strided<[8, 1]>>
  }
  return
}

//--- intruder.mlir
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @main(%x: memref<4x8xf32>, %y: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  %true = arith.constant true
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  %sum = trn.alloc bank 0 offset 0 : memref<8x8xf32, #psum>
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%tile : memref<4x8xf32, #sbuf>)
      into %sum : memref<8x8xf32, #psum>
  trn.memset %sum, 0.0 : memref<8x8xf32, #psum> on vector
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%tile : memref<4x8xf32, #sbuf>)
      into %sum : memref<8x8xf32, #psum> accumulate(%true)
  return
}

//--- groups.mlir
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @main(%x: memref<4x8xf32>, %y: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  %true = arith.constant true
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  %a = trn.alloc bank 0 offset 0 : memref<8x8xf32, #psum>
  %b = memref.subview %a[0, 0] [8, 4] [1, 1] : memref<8x8xf32, #psum> to memref<8x4xf32, strided<[8, 1]>, #psum>
  %half = memref.subview %tile[0, 0] [4, 4] [1, 1] : memref<4x8xf32, #sbuf> to memref<4x4xf32, strided<[8, 1]>, #sbuf>
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%tile : memref<4x8xf32, #sbuf>)
      into %a : memref<8x8xf32, #psum>
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%half : memref<4x4xf32, strided<[8, 1]>, #sbuf>)
      into %b : memref<8x4xf32, strided<[8, 1]>, #psum>
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%tile : memref<4x8xf32, #sbuf>)
      into %a : memref<8x8xf32, #psum> accumulate(%true)
  return
}

//--- result.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %y to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  return
}

//--- input.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  trn.dma_copy %tile to %x : memref<4x8xf32, #sbuf> to memref<4x8xf32>
  return
}

//--- overlap.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  %a = memref.subview %tile[0, 0] [4, 4] [1, 1] : memref<4x8xf32, #sbuf> to memref<4x4xf32, strided<[8, 1]>, #sbuf>
  %b = memref.subview %tile[0, 2] [4, 4] [1, 1] : memref<4x8xf32, #sbuf> to memref<4x4xf32, strided<[8, 1], offset: 2>, #sbuf>
  trn.tensor_copy %a into %b : memref<4x4xf32, strided<[8, 1]>, #sbuf> to memref<4x4xf32, strided<[8, 1], offset: 2>, #sbuf> on vector
  return
}
