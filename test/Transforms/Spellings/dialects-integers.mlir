// Positions of a decode step: index and integer code beside the product.
// RUN: trn-run %s --compile=effort=1 | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%table: tensor<100x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %tokens = arith.constant dense<7> : tensor<24xi32>
  %empty = tensor.empty() : tensor<24x40xf32>
  %most = arith.constant 99 : i32
  %least = arith.constant 0 : i32
  %rows = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%tokens : tensor<24xi32>) outs(%empty : tensor<24x40xf32>) {
  ^bb0(%token: i32, %out: f32):
    %low = arith.maxsi %token, %least : i32
    %high = arith.minsi %low, %most : i32
    %row = arith.index_cast %high : i32 to index
    %column = linalg.index 1 : index
    %value = tensor.extract %table[%row, %column] : tensor<100x40xf32>
    linalg.yield %value : f32
  } -> tensor<24x40xf32>
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %o = linalg.matmul ins(%rows, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
