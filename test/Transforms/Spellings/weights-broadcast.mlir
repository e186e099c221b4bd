// torch-mlir's linear of a batch: the weight is transposed, broadcast, and multiplied with linalg.batch_matmul.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<4x6x40xf32>, %w: tensor<56x40xf32>) -> tensor<4x6x56xf32> {
  %zero = arith.constant 0.0 : f32
  %turned_empty = tensor.empty() : tensor<40x56xf32>
  %turned = linalg.transpose ins(%w : tensor<56x40xf32>) outs(%turned_empty : tensor<40x56xf32>) permutation = [1, 0]
  %batch_empty = tensor.empty() : tensor<4x40x56xf32>
  %batch = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (k, n)>, affine_map<(b, k, n) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%turned : tensor<40x56xf32>) outs(%batch_empty : tensor<4x40x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x40x56xf32>
  %empty = tensor.empty() : tensor<4x6x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %o = linalg.batch_matmul ins(%x, %batch : tensor<4x6x40xf32>, tensor<4x40x56xf32>) outs(%zeros : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  return %o : tensor<4x6x56xf32>
}
