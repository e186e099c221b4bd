// Scores are sums of products with two caches, latents and rotated keys, as in DeepSeek's attention: new rows are put behind both.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-COUNT-1: tensor.concat
// CHECK-NOT: tensor.concat

#row = affine_map<(h, t) -> (h)>
#id = affine_map<(h, t) -> (h, t)>

func.func @main(%x: tensor<3x64xf32>, %wq: tensor<4x32xf32>, %wr: tensor<4x8xf32>, %wc: tensor<64x32xf32>, %wk: tensor<64x8xf32>, %latents: tensor<70x32xf32>, %keys: tensor<70x8xf32>) -> (tensor<4x32xf32>, tensor<73x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %ce = tensor.empty() : tensor<3x32xf32>
  %cz = linalg.fill ins(%zero : f32) outs(%ce : tensor<3x32xf32>) -> tensor<3x32xf32>
  %c = linalg.matmul ins(%x, %wc : tensor<3x64xf32>, tensor<64x32xf32>) outs(%cz : tensor<3x32xf32>) -> tensor<3x32xf32>
  %ke = tensor.empty() : tensor<3x8xf32>
  %kz = linalg.fill ins(%zero : f32) outs(%ke : tensor<3x8xf32>) -> tensor<3x8xf32>
  %k = linalg.matmul ins(%x, %wk : tensor<3x64xf32>, tensor<64x8xf32>) outs(%kz : tensor<3x8xf32>) -> tensor<3x8xf32>
  %all_latents = tensor.concat dim(0) %latents, %c : (tensor<70x32xf32>, tensor<3x32xf32>) -> tensor<73x32xf32>
  %all_keys = tensor.concat dim(0) %keys, %k : (tensor<70x8xf32>, tensor<3x8xf32>) -> tensor<73x8xf32>
  %se = tensor.empty() : tensor<4x73xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x73xf32>) -> tensor<4x73xf32>
  %s1 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%wq, %all_latents : tensor<4x32xf32>, tensor<73x32xf32>) outs(%sz : tensor<4x73xf32>) -> tensor<4x73xf32>
  %s2 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%wr, %all_keys : tensor<4x8xf32>, tensor<73x8xf32>) outs(%sz : tensor<4x73xf32>) -> tensor<4x73xf32>
  %s = linalg.add ins(%s1, %s2 : tensor<4x73xf32>, tensor<4x73xf32>) outs(%se : tensor<4x73xf32>) -> tensor<4x73xf32>
  %me = tensor.empty() : tensor<4xf32>
  %mz = linalg.fill ins(%low : f32) outs(%me : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%s : tensor<4x73xf32>) outs(%mz : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %m : tensor<4x73xf32>, tensor<4xf32>) outs(%se : tensor<4x73xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<4x73xf32>
  %lz = linalg.fill ins(%zero : f32) outs(%me : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<4x73xf32>) outs(%lz : tensor<4xf32>) dimensions = [1]
  %shares = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<4x73xf32>, tensor<4xf32>) outs(%se : tensor<4x73xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<4x73xf32>
  %oe = tensor.empty() : tensor<4x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x32xf32>) -> tensor<4x32xf32>
  %o = linalg.matmul ins(%shares, %all_latents : tensor<4x73xf32>, tensor<73x32xf32>) outs(%oz : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %o, %all_keys : tensor<4x32xf32>, tensor<73x8xf32>
}
