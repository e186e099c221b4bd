// linalg.quantized_matmul subtracts zero points.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<24x40xi8>, %w: tensor<40x56xi8>, %xz: i32, %wz: i32) -> tensor<24x56xi32> {
  %zeros = arith.constant dense<0> : tensor<24x56xi32>
  // expected-remark @below {{product left on the host: it multiplies i8 and sums in i32, but the tensor engine takes bf16, f16 and f32}}
  %o = linalg.quantized_matmul ins(%x, %w, %xz, %wz : tensor<24x40xi8>, tensor<40x56xi8>, i32, i32) outs(%zeros : tensor<24x56xi32>) -> tensor<24x56xi32>
  return %o : tensor<24x56xi32>
}
