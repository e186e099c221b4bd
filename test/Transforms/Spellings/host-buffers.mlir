// A module that was bufferized already.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: memref<24x40xf32>, %w: memref<40x56xf32>, %o: memref<24x56xf32>) {
  // expected-remark @below {{product left on the host: it works on buffers, but kernels are made from tensors; compile the module before it is bufferized}}
  linalg.matmul ins(%x, %w : memref<24x40xf32>, memref<40x56xf32>) outs(%o : memref<24x56xf32>)
  return
}
