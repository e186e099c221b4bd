// RUN: trn-opt %s --canonicalize | FileCheck %s

#sbuf = #trn.mem<sbuf>

// CHECK-LABEL: @dma_copy_of_itself
func.func @dma_copy_of_itself(%x: memref<128x512xbf16>) {
  // CHECK-NEXT: return
  trn.dma_copy %x to %x : memref<128x512xbf16> to memref<128x512xbf16>
  return
}

// CHECK-LABEL: @tensor_copy_of_itself
func.func @tensor_copy_of_itself(%x: memref<128x512xbf16, #sbuf>) {
  // CHECK-NEXT: return
  trn.tensor_copy %x into %x : memref<128x512xbf16, #sbuf> to memref<128x512xbf16, #sbuf>
  return
}

// CHECK-LABEL: @multiplication_by_one
// CHECK-SAME: (%[[X:.*]]: memref<128x8xf32, #trn.mem<sbuf>>, %[[Y:.*]]: memref
func.func @multiplication_by_one(%x: memref<128x8xf32, #sbuf>, %y: memref<128x8xbf16, #sbuf>) {
  // CHECK-NEXT: trn.tensor_copy %[[X]] into %[[Y]] : {{.*}} on gpsimd
  trn.tensor_scalar mul(%x : memref<128x8xf32, #sbuf>) constant 1.0 into %y : memref<128x8xbf16, #sbuf> on gpsimd
  return
}

// CHECK-LABEL: @positive_zero_is_not_neutral_for_addition
func.func @positive_zero_is_not_neutral_for_addition(%x: memref<128x8xf32, #sbuf>) {
  // CHECK: trn.tensor_scalar add
  trn.tensor_scalar add(%x : memref<128x8xf32, #sbuf>) constant 0.0 into %x : memref<128x8xf32, #sbuf>
  return
}

// CHECK-LABEL: @reversed_subtraction_of_zero
func.func @reversed_subtraction_of_zero(%x: memref<128x8xf32, #sbuf>) {
  // CHECK: trn.tensor_scalar sub
  trn.tensor_scalar sub(%x : memref<128x8xf32, #sbuf>) constant 0.0 reversed into %x : memref<128x8xf32, #sbuf>
  return
}

// CHECK-LABEL: @cast_of_a_memref
// CHECK-SAME: (%[[X:.*]]: memref<128x512xbf16>, %[[Y:.*]]: memref<128x512xbf16, #trn.mem<sbuf>>
func.func @cast_of_a_memref(%x: memref<128x512xbf16>, %y: memref<128x512xbf16, #sbuf>) {
  // CHECK-NEXT: trn.dma_copy %[[X]] to %[[Y]] : memref<128x512xbf16> to
  %cast = memref.cast %x : memref<128x512xbf16> to memref<128x512xbf16, strided<[512, 1], offset: ?>>
  trn.dma_copy %cast to %y : memref<128x512xbf16, strided<[512, 1], offset: ?>> to memref<128x512xbf16, #sbuf>
  return
}

// A buffer that nobody uses goes; one that is written stays.
// CHECK-LABEL: @unused_buffer
func.func @unused_buffer(%x: memref<128x512xbf16>) {
  // CHECK-NEXT: %[[USED:.*]] = trn.alloc
  // CHECK-NEXT: trn.dma_copy %{{.*}} to %[[USED]]
  // CHECK-NEXT: return
  %unused = trn.alloc : memref<128x512xbf16, #sbuf>
  %used = trn.alloc : memref<128x512xbf16, #sbuf>
  trn.dma_copy %x to %used : memref<128x512xbf16> to memref<128x512xbf16, #sbuf>
  return
}
