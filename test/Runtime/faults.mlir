// RUN: split-file %s %t
// RUN: not trn-run %t/never-written.mlir 2>&1 | FileCheck %s --check-prefix=POISON
// RUN: not trn-run %t/freed.mlir 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not trn-run %t/overlap.mlir 2>&1 | FileCheck %s --check-prefix=OVERLAP
// RUN: not trn-run %t/group.mlir 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: not trn-run %t/range.mlir 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not trn-run %t/host.mlir 2>&1 | FileCheck %s --check-prefix=HOST

// Each fault is an error at the op at fault, with a note at the other one.

// POISON: never-written.mlir:4:3: error: 'trn.dma_copy' op reads partition 0, byte 0 of a buffer, which was never written
// POISON: never-written.mlir:3:11: note: this buffer

// FREED: freed.mlir:6:3: error: 'trn.dma_copy' op reads a buffer after it was freed
// FREED: freed.mlir:3:11: note: this buffer

// OVERLAP: overlap.mlir:4:8: error: 'trn.alloc' op buffers that are live together must not overlap, but this one takes bytes [16, 48) of a partition, and the other one takes bytes [0, 32) of a partition
// OVERLAP: overlap.mlir:3:8: note: the other buffer

// GROUP: group.mlir:8:3: error: 'trn.matmul' op accumulates into PSUM bank 0, where no group was started
// GROUP: group.mlir:7:10: note: this buffer

// The third row of a step of two.
// RANGE: range.mlir:9:13: error: 'memref.subview' op reaches elements 0 to 4 of dimension 0 of its source, which has 4 of them
// RANGE: range.mlir:11:5: note: needed here

// The same through host code.
// HOST: host.mlir:4:3: error: 'trn.dma_copy' op reads partition 0, byte 0 of a buffer, which was never written
// HOST: host.mlir:3:11: note: this buffer

//--- never-written.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %tile to %y : memref<4x8xf32, #sbuf> to memref<4x8xf32>
  return
}

//--- freed.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  trn.dealloc %tile : memref<4x8xf32, #sbuf>
  trn.dma_copy %tile to %y : memref<4x8xf32, #sbuf> to memref<4x8xf32>
  return
}

//--- overlap.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  %b = trn.alloc offset 16 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %a : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %b : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  trn.dma_copy %a to %y : memref<4x8xf32, #sbuf> to memref<4x8xf32>
  return
}

//--- group.mlir
#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @main(%x: memref<4x8xf32>, %y: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  %true = arith.constant true
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #sbuf>
  %sum = trn.alloc bank 0 offset 0 : memref<8x8xf32, #psum>
  trn.matmul stationary(%tile : memref<4x8xf32, #sbuf>) moving(%tile : memref<4x8xf32, #sbuf>)
      into %sum : memref<8x8xf32, #psum> accumulate(%true)
  return
}

//--- range.mlir
#sbuf = #trn.mem<sbuf>
func.func private @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %tile = trn.alloc offset 0 : memref<1x8xf32, #sbuf>
  scf.for %i = %c0 to %c3 step %c1 {
    %row = affine.apply affine_map<(i) -> (2 * i)>(%i)
    %part = memref.subview %x[%row, 0] [1, 8] [1, 1]
        : memref<4x8xf32> to memref<1x8xf32, strided<[8, 1], offset: ?>>
    trn.dma_copy %part to %tile : memref<1x8xf32, strided<[8, 1], offset: ?>> to memref<1x8xf32, #sbuf>
  }
  return
}

//--- host.mlir
#sbuf = #trn.mem<sbuf>
func.func private @kernel(%y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #sbuf>
  trn.dma_copy %tile to %y : memref<4x8xf32, #sbuf> to memref<4x8xf32>
  return
}
func.func @main() -> tensor<4x8xf32> {
  %out = memref.alloc() : memref<4x8xf32>
  call @kernel(%out) : (memref<4x8xf32>) -> ()
  %y = bufferization.to_tensor %out restrict writable : memref<4x8xf32> to tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
