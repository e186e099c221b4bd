// A loop with work of the host makes a launch in each iteration. All are equal: one of them is timed, not each.
// RUN: timeout 100 trn-opt %s --trn-compile=effort=1 | FileCheck %s
// CHECK: scf.for
// CHECK-COUNT-2: call @first
// CHECK: memref.load

func.func private @first(%x: memref<64x1024xf32>, %w: memref<1024x1024xf32>, %y: memref<64x1024xf32> {trn.result}) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  %a = bufferization.to_tensor %x : memref<64x1024xf32> to tensor<64x1024xf32>
  %b = bufferization.to_tensor %w : memref<1024x1024xf32> to tensor<1024x1024xf32>
  %e = tensor.empty() : tensor<64x1024xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  %s = linalg.matmul ins(%a, %b : tensor<64x1024xf32>, tensor<1024x1024xf32>) outs(%z : tensor<64x1024xf32>) -> tensor<64x1024xf32>
  bufferization.materialize_in_destination %s in writable %y : (tensor<64x1024xf32>, memref<64x1024xf32>) -> ()
  return
}

func.func @main(%x: memref<64x1024xf32>, %w: memref<1024x1024xf32>, %y: memref<64x1024xf32>, %sums: memref<100000xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %count = arith.constant 100000 : index
  scf.for %i = %zero to %count step %one {
    func.call @first(%x, %w, %y) : (memref<64x1024xf32>, memref<1024x1024xf32>, memref<64x1024xf32>) -> ()
    func.call @first(%y, %w, %x) : (memref<64x1024xf32>, memref<1024x1024xf32>, memref<64x1024xf32>) -> ()
    %v = memref.load %x[%zero, %zero] : memref<64x1024xf32>
    memref.store %v, %sums[%i] : memref<100000xf32>
  }
  return
}
