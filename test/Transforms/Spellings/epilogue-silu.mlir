// SiLU as torch-mlir decomposes it: a sigmoid by negf, exp, addf, divf, and a product with the input.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %one = arith.constant 1.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xf32>
  %sigmoid = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %e = math.exp %n : f32
    %a = arith.addf %e, %one : f32
    %d = arith.divf %one, %a : f32
    linalg.yield %d : f32
  } -> tensor<24x56xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%sigmoid, %y : tensor<24x56xf32>, tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%s: f32, %in: f32, %out: f32):
    %p = arith.mulf %s, %in : f32
    linalg.yield %p : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
