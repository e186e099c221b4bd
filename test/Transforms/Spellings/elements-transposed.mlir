// A matrix and its transpose, of an argument and of what a kernel computes: kernels are given it twice.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1
// CHECK-NOT: host_ops

#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
#id3 = affine_map<(c, i, j) -> (c, i, j)>
#from = affine_map<(c, i, j) -> (c, i)>
#to = affine_map<(c, i, j) -> (c, j)>

func.func @main(%x: tensor<40x24xf32>, %square: tensor<56x56xf32>, %steps: tensor<3x16xf32>, %ones: tensor<16x16xf32>) -> (tensor<40x40xf32>, tensor<56x56xf32>, tensor<3x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x40xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<40x40xf32>) -> tensor<40x40xf32>
  %gram = linalg.contract indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x, %x : tensor<40x24xf32>, tensor<40x24xf32>) outs(%z : tensor<40x40xf32>) -> tensor<40x40xf32>
  %cubed = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gram, %gram : tensor<40x40xf32>, tensor<40x40xf32>) outs(%e : tensor<40x40xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %m = arith.mulf %a, %a : f32
    %s = arith.addf %m, %b : f32
    linalg.yield %s : f32
  } -> tensor<40x40xf32>

  %se = tensor.empty() : tensor<56x56xf32>
  %t = linalg.transpose ins(%square : tensor<56x56xf32>) outs(%se : tensor<56x56xf32>) permutation = [1, 0]
  %skew = arith.subf %square, %t : tensor<56x56xf32>

  // The decay between the steps of a chunk.
  %ce = tensor.empty() : tensor<3x16xf32>
  %cz = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x16xf32>) -> tensor<3x16xf32>
  %sums = linalg.matmul ins(%steps, %ones : tensor<3x16xf32>, tensor<16x16xf32>) outs(%cz : tensor<3x16xf32>) -> tensor<3x16xf32>
  %de = tensor.empty() : tensor<3x16x16xf32>
  %decay = linalg.generic {indexing_maps = [#from, #to, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%sums, %sums : tensor<3x16xf32>, tensor<3x16xf32>) outs(%de : tensor<3x16x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<3x16x16xf32>
  return %cubed, %skew, %decay : tensor<40x40xf32>, tensor<56x56xf32>, tensor<3x16x16xf32>
}
