// Both weights of a chain are turned by generics.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 190,848
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#turned = affine_map<(i, j) -> (j, i)>
#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xf32>, %u: tensor<56x40xf32>, %v: tensor<31x56xf32>) -> tensor<24x31xf32> {
  %u_empty = tensor.empty() : tensor<40x56xf32>
  %u_turned = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%u : tensor<56x40xf32>) outs(%u_empty : tensor<40x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<40x56xf32>
  %v_empty = tensor.empty() : tensor<56x31xf32>
  %v_turned = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel"]} ins(%v : tensor<31x56xf32>) outs(%v_empty : tensor<56x31xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<56x31xf32>
  %y_zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %u_turned : tensor<24x40xf32>, tensor<40x56xf32>) outs(%y_zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %o_zeros = arith.constant dense<0.0> : tensor<24x31xf32>
  %o = linalg.matmul ins(%y, %v_turned : tensor<24x56xf32>, tensor<56x31xf32>) outs(%o_zeros : tensor<24x31xf32>) -> tensor<24x31xf32>
  return %o : tensor<24x31xf32>
}
