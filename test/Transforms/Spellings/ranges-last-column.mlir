// Sums up to each step of a chunk, and the last one of each head, which all others are subtracted from, as in Mamba-2.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#steps = affine_map<(b, h, i, j) -> (b, h, j)>
#below = affine_map<(b, h, i, j) -> (i, j)>
#sums = affine_map<(b, h, i, j) -> (b, h, i)>
#all = affine_map<(b, h, i) -> (b, h, i)>
#last = affine_map<(b, h, i) -> (b, h, 0)>

func.func @main(%x: tensor<2x4x32xf32>, %triangle: tensor<32x32xf32>) -> (tensor<2x4x32xf32>, tensor<2x4x1xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x32xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x32xf32>) -> tensor<2x4x32xf32>
  %sums = linalg.generic {indexing_maps = [#steps, #below, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %triangle : tensor<2x4x32xf32>, tensor<32x32xf32>) outs(%z : tensor<2x4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %out, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x32xf32>
  %last = tensor.extract_slice %sums[0, 0, 31] [2, 4, 1] [1, 1, 1] : tensor<2x4x32xf32> to tensor<2x4x1xf32>
  %decays = linalg.generic {indexing_maps = [#last, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%last, %sums : tensor<2x4x1xf32>, tensor<2x4x32xf32>) outs(%e : tensor<2x4x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<2x4x32xf32>
  %le = tensor.empty() : tensor<2x4x1xf32>
  %all = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%last : tensor<2x4x1xf32>) outs(%le : tensor<2x4x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<2x4x1xf32>
  return %decays, %all : tensor<2x4x32xf32>, tensor<2x4x1xf32>
}
