// A residual that the host computes, beside a column: neither takes the other back to a vector.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 4,480
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#vector = affine_map<(d0) -> (d0)>

func.func @main(%w: tensor<56x40xf32>, %x: tensor<40xf32>, %r: tensor<56xf32>) -> tensor<56xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<56xf32>) -> tensor<56xf32>
  %residual = math.atan %r : tensor<56xf32>
  %y = linalg.matvec ins(%w, %x : tensor<56x40xf32>, tensor<40xf32>) outs(%zeros : tensor<56xf32>) -> tensor<56xf32>
  %o = linalg.generic {indexing_maps = [#vector, #vector, #vector], iterator_types = ["parallel"]}
      ins(%y, %residual : tensor<56xf32>, tensor<56xf32>) outs(%empty : tensor<56xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<56xf32>
  return %o : tensor<56xf32>
}
