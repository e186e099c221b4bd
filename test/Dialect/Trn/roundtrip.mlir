// RUN: trn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: @buffer
func.func @buffer() {
  // CHECK: trn.alloc buffers 2 offset 4096 : memref<128x512xbf16, #trn.mem<sbuf>>
  %tile = trn.alloc buffers 2 offset 4096 : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.dealloc %tile : memref<128x512xbf16, #trn.mem<sbuf>>
  return
}
