// Two links on a batch, whose rounding is a generic of rank 3.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(b, m, n) -> (b, m, n)>
#x = affine_map<(b, m, n, k) -> (b, m, k)>
#w = affine_map<(b, m, n, k) -> (k, n)>
#o = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @main(%x: tensor<4x6x40xbf16>, %u: tensor<40x56xbf16>, %v: tensor<56x31xbf16>) -> tensor<4x6x31xbf16> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<4x6x56xf32>
  %y_zeros = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %y_sum = linalg.contract indexing_maps = [#x, #w, #o] ins(%x, %u : tensor<4x6x40xbf16>, tensor<40x56xbf16>) outs(%y_zeros : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %y_short = tensor.empty() : tensor<4x6x56xbf16>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y_sum : tensor<4x6x56xf32>) outs(%y_short : tensor<4x6x56xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x6x56xbf16>
  %o_empty = tensor.empty() : tensor<4x6x31xf32>
  %o_zeros = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<4x6x31xf32>) -> tensor<4x6x31xf32>
  %o_sum = linalg.contract indexing_maps = [#x, #w, #o] ins(%y, %v : tensor<4x6x56xbf16>, tensor<56x31xbf16>) outs(%o_zeros : tensor<4x6x31xf32>) -> tensor<4x6x31xf32>
  %o_short = tensor.empty() : tensor<4x6x31xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%o_sum : tensor<4x6x31xf32>) outs(%o_short : tensor<4x6x31xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %t = arith.truncf %in : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<4x6x31xbf16>
  return %o : tensor<4x6x31xbf16>
}
