// What is computed element by element before all kernels, or between them in other dimensions, is a kernel too,
// of the same launch: scaled queries and keys of several heads, whose batch of one a reshape drops.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}launches 1
// CHECK-NOT: host op
// CHECK-COUNT-3: {{^}}kernel main_kernel

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#scalar = affine_map<(d0, d1, d2, d3) -> ()>
func.func @main(%q: tensor<1x4x24x40xf32>, %k: tensor<1x4x40x56xf32>, %scale: tensor<f32>) -> tensor<4x24x56xf32> {
  %q_empty = tensor.empty() : tensor<1x4x24x40xf32>
  %q_scaled = linalg.generic {indexing_maps = [#id, #scalar, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%q, %scale : tensor<1x4x24x40xf32>, tensor<f32>) outs(%q_empty : tensor<1x4x24x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.mulf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<1x4x24x40xf32>
  %half = arith.constant dense<0.5> : tensor<1x4x40x56xf32>
  %k_scaled = arith.mulf %k, %half : tensor<1x4x40x56xf32>
  %x = tensor.collapse_shape %q_scaled [[0, 1], [2], [3]] : tensor<1x4x24x40xf32> into tensor<4x24x40xf32>
  %y = tensor.collapse_shape %k_scaled [[0, 1], [2], [3]] : tensor<1x4x40x56xf32> into tensor<4x40x56xf32>
  %zeros = arith.constant dense<0.0> : tensor<4x24x56xf32>
  %o = linalg.batch_matmul ins(%x, %y : tensor<4x24x40xf32>, tensor<4x40x56xf32>) outs(%zeros : tensor<4x24x56xf32>) -> tensor<4x24x56xf32>
  return %o : tensor<4x24x56xf32>
}
