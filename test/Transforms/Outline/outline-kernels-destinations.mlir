// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// What an op only overwrites is no result of the kernel that computes it.

// The second op is behind a use of the first one's result on the host, and so
// in a kernel of its own.
// CHECK-LABEL: func.func @overwritten(
// CHECK: call @overwritten_kernel({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<8x6xf32>) -> ()
// CHECK: tensor.pad
// CHECK: call @overwritten_kernel_2(
// CHECK-NOT: linalg
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @overwritten(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<7x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %padded = tensor.pad %y low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x6xf32> to tensor<8x7xf32>
  %z = linalg.matmul ins(%padded, %v : tensor<8x7xf32>, tensor<7x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%z : tensor<8x6xf32>) outs(%twice : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.mulf %a, %a : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
