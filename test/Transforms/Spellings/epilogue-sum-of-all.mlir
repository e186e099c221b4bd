// A gate of the sum of all elements of a product, which has no dimension: three kernels, one launch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>
#scalar = affine_map<() -> ()>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %one = tensor.empty() : tensor<f32>
  %start = linalg.fill ins(%zero : f32) outs(%one : tensor<f32>) -> tensor<f32>
  %sum = linalg.generic {indexing_maps = [#id, #none], iterator_types = ["reduction", "reduction"]}
      ins(%y : tensor<24x56xf32>) outs(%start : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %gate = linalg.generic {indexing_maps = [#scalar, #scalar], iterator_types = []} ins(%sum : tensor<f32>) outs(%one : tensor<f32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.tanh %in : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %o = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y, %gate : tensor<24x56xf32>, tensor<f32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %g: f32, %out: f32):
    %0 = arith.mulf %in, %g : f32
    linalg.yield %0 : f32
  } -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
