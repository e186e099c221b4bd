// Two reshapes of a result come behind the kernel, so that it may read what is
// made between them and its products.
// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK: tensor.concat
// CHECK: call @main_kernel
// CHECK-NOT: call
// CHECK: tensor.collapse_shape
// CHECK-NEXT: tensor.expand_shape
// CHECK-NEXT: return

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<1x40xf32>, %w: tensor<40x64xf32>, %v: tensor<40x64xf32>, %c: tensor<32xf32>) -> (tensor<4x16xf32>, tensor<1x64xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x64xf32>) -> tensor<1x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<1x40xf32>, tensor<40x64xf32>) outs(%f : tensor<1x64xf32>) -> tensor<1x64xf32>
  %q = linalg.matmul ins(%x, %v : tensor<1x40xf32>, tensor<40x64xf32>) outs(%f : tensor<1x64xf32>) -> tensor<1x64xf32>
  %flat = tensor.collapse_shape %p [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
  %heads = tensor.expand_shape %flat [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
  %cc = tensor.concat dim(0) %c, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%q, %cc : tensor<1x64xf32>, tensor<64xf32>) outs(%e : tensor<1x64xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %y = arith.mulf %a, %b : f32
    linalg.yield %y : f32
  } -> tensor<1x64xf32>
  return %heads, %o : tensor<4x16xf32>, tensor<1x64xf32>
}
