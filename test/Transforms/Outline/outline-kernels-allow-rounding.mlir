// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-outline-kernels=allow-rounding | FileCheck %s

// With rounding allowed, an intermediate that is f32 in the source is kept in
// the type of the weights, which a remark says.

// CHECK-LABEL: func.func @main
// CHECK: call @main_kernel
// CHECK: func.func private @main_kernel(
// CHECK-SAME: memref<64x48xf32> {trn.result})
// CHECK: -> tensor<64x32xbf16>
// CHECK: linalg.matmul{{.*}} ins(%{{.*}}, %{{.*}} : tensor<64x32xbf16>, tensor<32x48xbf16>)
func.func @main(%x: tensor<64x96xbf16>, %u: tensor<96x32xbf16>, %v: tensor<32x48xbf16>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-remark @below {{kernel rounds to bf16 (to_nearest_even), where the source does not (allow-rounding)}}
  %y = linalg.matmul ins(%x, %u : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xbf16>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// Nothing but the intermediate is rounded: not an X or a V in f32.

// CHECK-LABEL: func.func @wide_input(
// CHECK-NOT: call
// CHECK: return
func.func @wide_input(%x: tensor<64x96xf32>, %u: tensor<96x32xbf16>, %v: tensor<32x48xbf16>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-remark @below {{its operands have different types, and its lhs is no intermediate}}
  %y = linalg.matmul ins(%x, %u : tensor<64x96xf32>, tensor<96x32xbf16>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-remark @below {{its operands have different types, and its lhs is no intermediate}}
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xbf16>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// CHECK-LABEL: func.func @wide_weight(
// CHECK: call @wide_weight_kernel({{.*}}memref<96x32xbf16>
// CHECK: linalg.matmul
// CHECK: return
func.func @wide_weight(%x: tensor<64x96xbf16>, %u: tensor<96x32xbf16>, %v: tensor<48x64xf32>) -> tensor<48x32xf32> {
  %short_zero = arith.constant 0.0 : bf16
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xbf16>
  %y_zero = linalg.fill ins(%short_zero : bf16) outs(%y_empty : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%y_zero : tensor<64x32xbf16>) -> tensor<64x32xbf16>
  %o_empty = tensor.empty() : tensor<48x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<48x32xf32>) -> tensor<48x32xf32>
  // expected-remark @below {{its operands have different types, and its lhs is no intermediate}}
  %o = linalg.matmul ins(%v, %y : tensor<48x64xf32>, tensor<64x32xbf16>) outs(%o_zero : tensor<48x32xf32>) -> tensor<48x32xf32>
  return %o : tensor<48x32xf32>
}
