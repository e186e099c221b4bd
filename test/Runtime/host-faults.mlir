// RUN: split-file %s %t
// RUN: not trn-run %t/freed.mlir 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not trn-run %t/bounds.mlir 2>&1 | FileCheck %s --check-prefix=BOUNDS
// RUN: not trn-run %t/shared.mlir 2>&1 | FileCheck %s --check-prefix=SHARED
// RUN: not trn-run %t/input.mlir 2>&1 | FileCheck %s --check-prefix=INPUT
// RUN: not trn-run %t/unwritten.mlir 2>&1 | FileCheck %s --check-prefix=UNWRITTEN
// RUN: not trn-run %t/result.mlir 2>&1 | FileCheck %s --check-prefix=RESULT

// Errors of host code stand where it goes wrong, and lead to the others.

// FREED: freed.mlir:5:3: error: 'memref.dealloc' op frees memory that was freed before
// FREED: freed.mlir:3:8: note: allocated here
// FREED: freed.mlir:4:3: note: freed here

// BOUNDS: bounds.mlir:9:13: error: 'memref.load' op fails: out-of-bounds access of memref<4x8xf32>

// SHARED: shared.mlir:7:3: error: 'func.call' op passes argument #1 of @copy in memory that argument #0 shares, but the kernel writes it
// SHARED: shared.mlir:3:8: note: argument #1 is this
// SHARED: shared.mlir:3:8: note: argument #0 is this
// SHARED: shared.mlir:10:1: note: the kernel

// INPUT: input.mlir:6:3: error: 'func.call' op writes a buffer of a tensor that is taken read_only
// INPUT: input.mlir:5:10: note: taken here

// UNWRITTEN: unwritten.mlir:12:3: error: 'trn.dma_copy' op reads byte 64 of a buffer, which was never written
// UNWRITTEN: unwritten.mlir:10:1: note: this buffer
// UNWRITTEN: unwritten.mlir:8:3: note: called here
// UNWRITTEN: unwritten.mlir:3:8: note: host code wrote no element 16 of argument #0
// UNWRITTEN: unwritten.mlir:3:8: note: allocated here

// RESULT: result.mlir:2:1: error: result 0 of @main holds unwritten memory, from element 0 on
// RESULT: result.mlir:5:8: note: this result

//--- freed.mlir
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // One allocation, two ends.
  %m = memref.alloc() : memref<4x8xf32>
  memref.dealloc %m : memref<4x8xf32>
  memref.dealloc %m : memref<4x8xf32>
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- bounds.mlir
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %f0 = arith.constant 0.0 : f32
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %sum = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %f0) -> f32 {
    // The fifth row of four.
    %next = tensor.extract %x[%i, %c0] : tensor<4x8xf32>
    %more = arith.addf %acc, %next : f32
    scf.yield %more : f32
  }
  %all = tensor.splat %sum : tensor<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %all : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- shared.mlir
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f0 = arith.constant 0.0 : f32
  %m = memref.alloc() : memref<4x8xf32>
  linalg.fill ins(%f0 : f32) outs(%m : memref<4x8xf32>)

  // In and out at once.
  call @copy(%m, %m) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- input.mlir

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %c = arith.constant dense<1.0> : tensor<4x8xf32>
  %in = bufferization.to_buffer %c read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- unwritten.mlir
func.func @main(%x: tensor<2x8xf32>) -> tensor<4x8xf32> {
  %in = bufferization.to_buffer %x read_only : tensor<2x8xf32> to memref<2x8xf32>
  %m = memref.alloc() : memref<4x8xf32>
  %half = memref.subview %m[0, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  memref.copy %in, %half : memref<2x8xf32> to memref<2x8xf32, strided<[8, 1]>>
  %out = memref.alloc() : memref<4x8xf32>
  // Half of it.
  call @copy(%m, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %y = bufferization.to_tensor %out restrict : memref<4x8xf32> to tensor<4x8xf32> return %y : tensor<4x8xf32> }
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  // Reads all.
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- result.mlir

func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %e : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}
