// Keys that two heads share each, with rotary angles, repeated and then transposed, for scores with a batch of one sequence, as JAX writes einsums.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#rows = affine_map<(b, i, n, k) -> (b, i, k)>
#weight = affine_map<(b, i, n, k) -> (k, n)>
#sums = affine_map<(b, i, n, k) -> (b, i, n)>
#one = affine_map<(b, g, h, i, d) -> (b, g, 0, i, d)>
#each = affine_map<(b, g, h, i, d) -> (b, g, h, i, d)>
#all = affine_map<(b, h, i, d) -> (b, h, i, d)>
#angle = affine_map<(b, h, i, d) -> (i, d)>
#q = affine_map<(b, h, i, j, d) -> (b, h, i, d)>
#k = affine_map<(b, h, i, j, d) -> (b, h, d, j)>
#s = affine_map<(b, h, i, j, d) -> (b, h, i, j)>

func.func @main(%x: tensor<1x32x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x32xf32>, %cos: tensor<32x16xf32>, %sin: tensor<32x16xf32>) -> tensor<1x4x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %qe = tensor.empty() : tensor<1x32x64xf32>
  %qz = linalg.fill ins(%zero : f32) outs(%qe : tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
  %queries = linalg.generic {indexing_maps = [#rows, #weight, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %wq : tensor<1x32x64xf32>, tensor<64x64xf32>) outs(%qz : tensor<1x32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x32x64xf32>
  %qh = tensor.expand_shape %queries [[0], [1], [2, 3]] output_shape [1, 32, 4, 16] : tensor<1x32x64xf32> into tensor<1x32x4x16xf32>
  %qte = tensor.empty() : tensor<1x4x32x16xf32>
  %q0 = linalg.transpose ins(%qh : tensor<1x32x4x16xf32>) outs(%qte : tensor<1x4x32x16xf32>) permutation = [0, 2, 1, 3]
  %qhigh = tensor.extract_slice %q0[0, 0, 0, 8] [1, 4, 32, 8] [1, 1, 1, 1] : tensor<1x4x32x16xf32> to tensor<1x4x32x8xf32>
  %qlow = tensor.extract_slice %q0[0, 0, 0, 0] [1, 4, 32, 8] [1, 1, 1, 1] : tensor<1x4x32x16xf32> to tensor<1x4x32x8xf32>
  %qminus = arith.negf %qhigh : tensor<1x4x32x8xf32>
  %qhalf = tensor.concat dim(3) %qminus, %qlow : (tensor<1x4x32x8xf32>, tensor<1x4x32x8xf32>) -> tensor<1x4x32x16xf32>
  %q = linalg.generic {indexing_maps = [#all, #all, #angle, #angle, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q0, %qhalf, %cos, %sin : tensor<1x4x32x16xf32>, tensor<1x4x32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>) outs(%qte : tensor<1x4x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %p = arith.mulf %a, %c : f32
    %r = arith.mulf %b, %d : f32
    %sum = arith.addf %p, %r : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x32x16xf32>

  %ke = tensor.empty() : tensor<1x32x32xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%ke : tensor<1x32x32xf32>) -> tensor<1x32x32xf32>
  %keys = linalg.generic {indexing_maps = [#rows, #weight, #sums], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%x, %wk : tensor<1x32x64xf32>, tensor<64x32xf32>) outs(%kz : tensor<1x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x32x32xf32>
  %kh = tensor.expand_shape %keys [[0], [1], [2, 3]] output_shape [1, 32, 2, 16] : tensor<1x32x32xf32> into tensor<1x32x2x16xf32>
  %kte = tensor.empty() : tensor<1x2x32x16xf32>
  %k = linalg.transpose ins(%kh : tensor<1x32x2x16xf32>) outs(%kte : tensor<1x2x32x16xf32>) permutation = [0, 2, 1, 3]
  %high = tensor.extract_slice %k[0, 0, 0, 8] [1, 2, 32, 8] [1, 1, 1, 1] : tensor<1x2x32x16xf32> to tensor<1x2x32x8xf32>
  %low = tensor.extract_slice %k[0, 0, 0, 0] [1, 2, 32, 8] [1, 1, 1, 1] : tensor<1x2x32x16xf32> to tensor<1x2x32x8xf32>
  %minus = arith.negf %high : tensor<1x2x32x8xf32>
  %half = tensor.concat dim(3) %minus, %low : (tensor<1x2x32x8xf32>, tensor<1x2x32x8xf32>) -> tensor<1x2x32x16xf32>
  %turned = linalg.generic {indexing_maps = [#all, #all, #angle, #angle, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%k, %half, %cos, %sin : tensor<1x2x32x16xf32>, tensor<1x2x32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>) outs(%kte : tensor<1x2x32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %out: f32):
    %p = arith.mulf %a, %c : f32
    %r = arith.mulf %b, %d : f32
    %sum = arith.addf %p, %r : f32
    linalg.yield %sum : f32
  } -> tensor<1x2x32x16xf32>
  %kg = tensor.expand_shape %turned [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 32, 16] : tensor<1x2x32x16xf32> into tensor<1x2x1x32x16xf32>
  %re = tensor.empty() : tensor<1x2x2x32x16xf32>
  %repeated = linalg.generic {indexing_maps = [#one, #each], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%kg : tensor<1x2x1x32x16xf32>) outs(%re : tensor<1x2x2x32x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<1x2x2x32x16xf32>
  %all = tensor.collapse_shape %repeated [[0], [1, 2], [3], [4]] : tensor<1x2x2x32x16xf32> into tensor<1x4x32x16xf32>
  %te = tensor.empty() : tensor<1x4x16x32xf32>
  %t = linalg.transpose ins(%all : tensor<1x4x32x16xf32>) outs(%te : tensor<1x4x16x32xf32>) permutation = [0, 1, 3, 2]

  %se = tensor.empty() : tensor<1x4x32x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
  %scores = linalg.generic {indexing_maps = [#q, #k, #s], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %t : tensor<1x4x32x16xf32>, tensor<1x4x16x32xf32>) outs(%sz : tensor<1x4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.mulf %a, %b : f32
    %sum = arith.addf %out, %p : f32
    linalg.yield %sum : f32
  } -> tensor<1x4x32x32xf32>
  %o = linalg.softmax dimension(3) ins(%scores : tensor<1x4x32x32xf32>) outs(%se : tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
  return %o : tensor<1x4x32x32xf32>
}
