// The host computes what all iterations of a loop have in common before it.
// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK: math.cos
// CHECK: tensor.concat
// CHECK: scf.for
// CHECK-NOT: math.cos
// CHECK-NOT: tensor.concat
// CHECK: call @main_kernel
// CHECK: return

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<20x64xf32>, %w: tensor<64x64xf32>, %angles: tensor<32xf32>) -> tensor<20x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %o = scf.for %i = %c0 to %c3 step %c1 iter_args(%h = %x) -> (tensor<20x64xf32>) {
    %e = tensor.empty() : tensor<20x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<20x64xf32>) -> tensor<20x64xf32>
    %y = linalg.matmul ins(%h, %w : tensor<20x64xf32>, tensor<64x64xf32>) outs(%f : tensor<20x64xf32>) -> tensor<20x64xf32>
    %half = tensor.empty() : tensor<32xf32>
    %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%angles : tensor<32xf32>) outs(%half : tensor<32xf32>) {
    ^bb0(%a: f32, %old: f32):
      %r = math.cos %a : f32
      linalg.yield %r : f32
    } -> tensor<32xf32>
    %cc = tensor.concat dim(0) %c, %c : (tensor<32xf32>, tensor<32xf32>) -> tensor<64xf32>
    %next = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %cc : tensor<20x64xf32>, tensor<64xf32>) outs(%e : tensor<20x64xf32>) {
    ^bb0(%a: f32, %b: f32, %old: f32):
      %r = arith.mulf %a, %b : f32
      linalg.yield %r : f32
    } -> tensor<20x64xf32>
    scf.yield %next : tensor<20x64xf32>
  }
  return %o : tensor<20x64xf32>
}
