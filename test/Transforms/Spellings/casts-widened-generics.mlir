// torch-mlir computes in f32 what autocast left in f16: every link is widened and rounded by generics.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf16>, %u: tensor<40x56xf16>, %v: tensor<56x31xf16>) -> tensor<24x31xf16> {
  %zero = arith.constant 0.0 : f32
  %x_empty = tensor.empty() : tensor<24x40xf32>
  %x_wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<24x40xf16>) outs(%x_empty : tensor<24x40xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<24x40xf32>
  %u_empty = tensor.empty() : tensor<40x56xf32>
  %u_wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<40x56xf16>) outs(%u_empty : tensor<40x56xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<40x56xf32>
  %y_empty = tensor.empty() : tensor<24x56xf32>
  %y_zeros = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y_sum = linalg.matmul ins(%x_wide, %u_wide : tensor<24x40xf32>, tensor<40x56xf32>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y_short = tensor.empty() : tensor<24x56xf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y_sum : tensor<24x56xf32>) outs(%y_short : tensor<24x56xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<24x56xf16>
  %y_wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf16>) outs(%y_empty : tensor<24x56xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<24x56xf32>
  %v_empty = tensor.empty() : tensor<56x31xf32>
  %v_wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<56x31xf16>) outs(%v_empty : tensor<56x31xf32>) {
  ^bb0(%in: f16, %out: f32):
    %e = arith.extf %in : f16 to f32
    linalg.yield %e : f32
  } -> tensor<56x31xf32>
  %o_empty = tensor.empty() : tensor<24x31xf32>
  %o_zeros = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<24x31xf32>) -> tensor<24x31xf32>
  %o_sum = linalg.matmul ins(%y_wide, %v_wide : tensor<24x56xf32>, tensor<56x31xf32>) outs(%o_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  %o_short = tensor.empty() : tensor<24x31xf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%o_sum : tensor<24x31xf32>) outs(%o_short : tensor<24x31xf16>) {
  ^bb0(%in: f32, %out: f16):
    %t = arith.truncf %in : f32 to f16
    linalg.yield %t : f16
  } -> tensor<24x31xf16>
  return %o : tensor<24x31xf16>
}
