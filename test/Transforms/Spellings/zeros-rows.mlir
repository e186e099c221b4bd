// Sums of rows in several dimensions begin with constant tensors, which have as many dimensions as the rows.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: launches 1
// CHECK-NOT: host_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel

#all = affine_map<(b, i, j) -> (b, i, j)>
#row = affine_map<(b, i, j) -> (b, i)>
func.func @main(%x: tensor<2x33x70xf32>) -> tensor<2x33x70xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x33xf32>
  %sums = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x33x70xf32>) outs(%zeros : tensor<2x33xf32>) {
  ^bb0(%a: f32, %out: f32):
    %square = arith.mulf %a, %a : f32
    %sum = arith.addf %square, %out : f32
    linalg.yield %sum : f32
  } -> tensor<2x33xf32>
  %empty = tensor.empty() : tensor<2x33x70xf32>
  %o = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %sums : tensor<2x33x70xf32>, tensor<2x33xf32>) outs(%empty : tensor<2x33x70xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %root = math.rsqrt %b : f32
    %r = arith.mulf %a, %root : f32
    linalg.yield %r : f32
  } -> tensor<2x33x70xf32>
  return %o : tensor<2x33x70xf32>
}
