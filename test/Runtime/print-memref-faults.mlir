// RUN: split-file %s %t
// RUN: not trn-run %t/other.mlir 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not trn-run %t/type.mlir 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not trn-run %t/mention.mlir 2>&1 | FileCheck %s --check-prefix=MENTION
// RUN: not trn-run %t/rank.mlir 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not trn-run %t/freed.mlir 2>&1 | FileCheck %s --check-prefix=FREED
// RUN: not trn-run %t/empty.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY

// Of functions without a body host code may call those that print, with the
// type that their name says, on memory that it has.

// OTHER: other.mlir:3:3: error: 'func.call' op calls @printNewline, which has no body to run
// OTHER: other.mlir:1:1: note: declared here
// TYPE: type.mlir:4:3: error: 'func.call' op calls @printMemrefF32, which has no body to run
// MENTION: mention.mlir:3:8: error: 'func.constant' op calls @printMemrefF32, which has no body to run
// RANK: rank.mlir:5:3: error: 'func.call' op prints a buffer of unknown rank; cast it from a type with a rank for the call
// RANK: rank.mlir:2:1: error: the host code around the kernels cannot be compiled
// FREED: freed.mlir:6:3: error: 'func.call' op reads memory after it was freed
// FREED: freed.mlir:5:3: note: freed here
// EMPTY: empty.mlir:5:3: error: 'func.call' op prints a buffer without elements

//--- other.mlir
func.func private @printNewline()
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  call @printNewline() : () -> ()
  return %x : tensor<4x8xf32>
}

//--- type.mlir
func.func private @printMemrefF32(tensor<*xf16>)
func.func @main(%x: tensor<4x8xf16>) -> tensor<4x8xf16> {
  %unranked = tensor.cast %x : tensor<4x8xf16> to tensor<*xf16>
  call @printMemrefF32(%unranked) : (tensor<*xf16>) -> ()
  return %x : tensor<4x8xf16>
}

//--- mention.mlir
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %f = func.constant @printMemrefF32 : (tensor<*xf32>) -> ()
  %unranked = tensor.cast %x : tensor<4x8xf32> to tensor<*xf32>
  func.call_indirect %f(%unranked) : (tensor<*xf32>) -> ()
  return %x : tensor<4x8xf32>
}

//--- rank.mlir
func.func private @printMemrefF32(memref<*xf32>)
func.func @main(%x: memref<4x8xf32>, %shape: memref<3xindex>) -> tensor<4x8xf32> {
  %any = memref.cast %shape : memref<3xindex> to memref<?xindex>
  %unranked = memref.reshape %x(%any) : (memref<4x8xf32>, memref<?xindex>) -> memref<*xf32>
  call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
  %y = bufferization.to_tensor %x restrict : memref<4x8xf32> to tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

//--- freed.mlir
func.func private @printMemrefF32(memref<*xf32>)
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %m = memref.alloc() : memref<4x8xf32>
  %unranked = memref.cast %m : memref<4x8xf32> to memref<*xf32>
  memref.dealloc %m : memref<4x8xf32>
  call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- empty.mlir
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %none = tensor.empty() : tensor<0x8xf32>
  %unranked = tensor.cast %none : tensor<0x8xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()
  %in = bufferization.to_buffer %x read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return %x : tensor<4x8xf32>
}
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}
