// Two reshapes of what the host computes stand behind it, whichever comes first.
// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK: math.atan
// CHECK: tensor.{{expand|collapse}}_shape
// CHECK-NEXT: tensor.{{expand|collapse}}_shape
// CHECK: call @main_kernel

func.func @main(%a: tensor<6x8xf32>, %x: tensor<16x16xf32>, %w: tensor<16x16xf32>) -> (tensor<16x16xf32>, tensor<2x3x8xf32>, tensor<48xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x8xf32>
  %h = linalg.generic {indexing_maps=[affine_map<(i,j)->(i,j)>,affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]} ins(%a : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %y = math.atan %i0 : f32
    linalg.yield %y : f32
  } -> tensor<6x8xf32>
  %r = tensor.expand_shape %h [[0,1],[2]] output_shape [2,3,8] : tensor<6x8xf32> into tensor<2x3x8xf32>
  %c = tensor.collapse_shape %h [[0,1]] : tensor<6x8xf32> into tensor<48xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  return %p, %r, %c : tensor<16x16xf32>, tensor<2x3x8xf32>, tensor<48xf32>
}
