// A quantized layer, whose accumulator is filled with zero.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

func.func @main(%x: tensor<24x40xi8>, %w: tensor<40x56xi8>) -> tensor<24x56xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<24x56xi32>
  %zeros = linalg.fill ins(%zero : i32) outs(%empty : tensor<24x56xi32>) -> tensor<24x56xi32>
  // expected-remark @below {{product left on the host: it multiplies i8 and sums in i32, but the tensor engine takes bf16, f16 and f32}}
  %o = linalg.matmul ins(%x, %w : tensor<24x40xi8>, tensor<40x56xi8>) outs(%zeros : tensor<24x56xi32>) -> tensor<24x56xi32>
  return %o : tensor<24x56xi32>
}
