// Slices of what reads a product in two ways are no slices of the product.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-2: verify: result {{.}}: relative error {{.*}} is allowed

func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%z : tensor<64x64xf32>) -> tensor<64x64xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(j,i)>, affine_map<(i,j)->(i,j)>], iterator_types = ["parallel","parallel"]} ins(%p, %p : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<64x64xf32>
  %s0 = tensor.extract_slice %g[0,0][64,32][1,1] : tensor<64x64xf32> to tensor<64x32xf32>
  %s1 = tensor.extract_slice %g[0,32][64,32][1,1] : tensor<64x64xf32> to tensor<64x32xf32>
  %e2 = tensor.empty() : tensor<64x32xf32>
  %u = linalg.exp ins(%s0 : tensor<64x32xf32>) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  %v = linalg.exp ins(%s1 : tensor<64x32xf32>) outs(%e2 : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %u, %v : tensor<64x32xf32>, tensor<64x32xf32>
}
