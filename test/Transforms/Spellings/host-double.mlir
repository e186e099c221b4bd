// A product in f64, onto sums that are given.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<24x40xf64>, %w: tensor<40x56xf64>, %sums: tensor<24x56xf64>) -> tensor<24x56xf64> {
  // expected-remark @below {{product left on the host: it multiplies f64 and sums in f64, but the tensor engine takes bf16, f16 and f32}}
  %o = linalg.matmul ins(%x, %w : tensor<24x40xf64>, tensor<40x56xf64>) outs(%sums : tensor<24x56xf64>) -> tensor<24x56xf64>
  return %o : tensor<24x56xf64>
}
