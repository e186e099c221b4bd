// Rows that are known when the program runs.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<?x40xf32>, %w: tensor<40x56xf32>) -> tensor<?x56xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x40xf32>
  %empty = tensor.empty(%rows) : tensor<?x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x56xf32>) -> tensor<?x56xf32>
  // expected-remark @below {{product left on the host: dimension 0 of tensor<?x40xf32> is dynamic, but kernels are compiled for static shapes; give its size with specialize, an option of trn-compile}}
  %o = linalg.matmul ins(%x, %w : tensor<?x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<?x56xf32>) -> tensor<?x56xf32>
  return %o : tensor<?x56xf32>
}
