// Scaling inside of the truncation.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %scale = arith.constant 0.125 : f32
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xbf16>) {
  ^bb0(%sum: f32, %out: bf16):
    %s = arith.mulf %sum, %scale : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
