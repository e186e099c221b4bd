// A bias of distances that the host gathers, with heads last, and transposes (T5): it does so before all kernels, and scores read it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

#index = affine_map<(i, j, h) -> (i, j)>
#all = affine_map<(i, j, h) -> (i, j, h)>
#same = affine_map<(h, i, j) -> (h, i, j)>

func.func @main(%x: tensor<32x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>, %table: tensor<32x4xf32>, %distances: tensor<32x32xi64>) -> tensor<4x32x32xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %q0 = linalg.matmul ins(%x, %wq : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %k0 = linalg.matmul ins(%x, %wk : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %k1 = tensor.expand_shape %k0 [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %qe = tensor.empty() : tensor<4x32x16xf32>
  %q = linalg.transpose ins(%q1 : tensor<32x4x16xf32>) outs(%qe : tensor<4x32x16xf32>) permutation = [1, 0, 2]
  %ke = tensor.empty() : tensor<4x16x32xf32>
  %k = linalg.transpose ins(%k1 : tensor<32x4x16xf32>) outs(%ke : tensor<4x16x32xf32>) permutation = [1, 2, 0]
  %se = tensor.empty() : tensor<4x32x32xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  %scores = linalg.batch_matmul ins(%q, %k : tensor<4x32x16xf32>, tensor<4x16x32xf32>) outs(%sz : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>

  %be = tensor.empty() : tensor<32x32x4xf32>
  %gathered = linalg.generic {indexing_maps = [#index, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%distances : tensor<32x32xi64>) outs(%be : tensor<32x32x4xf32>) {
  ^bb0(%distance: i64, %out: f32):
    %row = arith.index_cast %distance : i64 to index
    %head = linalg.index 2 : index
    %number = tensor.extract %table[%row, %head] : tensor<32x4xf32>
    linalg.yield %number : f32
  } -> tensor<32x32x4xf32>
  %bias = linalg.transpose ins(%gathered : tensor<32x32x4xf32>) outs(%se : tensor<4x32x32xf32>) permutation = [2, 0, 1]
  %biased = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %bias : tensor<4x32x32xf32>, tensor<4x32x32xf32>) outs(%se : tensor<4x32x32xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %sum = arith.addf %a, %b : f32
    linalg.yield %sum : f32
  } -> tensor<4x32x32xf32>
  %p = linalg.softmax dimension(2) ins(%biased : tensor<4x32x32xf32>) outs(%se : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
  return %p : tensor<4x32x32xf32>
}
