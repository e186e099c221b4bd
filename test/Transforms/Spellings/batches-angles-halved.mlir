// An angle is what an op computes, not the product of its operands.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result {{.}}: relative error {{.*}} is allowed

func.func @main(%x: tensor<64x1xf32>, %w: tensor<1x32xf32>, %y: tensor<64x64xf32>, %q: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %k = arith.constant 0.0 : f32
  %h = arith.constant 0.5 : f32
  %f = tensor.empty() : tensor<64x32xf32>
  %zf = linalg.fill ins(%k : f32) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i,j,k)->(i,k)>, affine_map<(i,j,k)->(k,j)>, affine_map<(i,j,k)->(i,j)>], iterator_types = ["parallel","parallel","reduction"]} ins(%x, %w : tensor<64x1xf32>, tensor<1x32xf32>) outs(%zf : tensor<64x32xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    %m2 = arith.mulf %m, %h : f32
    %s = arith.addf %o, %m2 : f32
    linalg.yield %s : f32
  } -> tensor<64x32xf32>
  %g = math.cos %p : tensor<64x32xf32>
  %r = linalg.matmul ins(%y, %q : tensor<64x64xf32>, tensor<64x32xf32>) outs(%zf : tensor<64x32xf32>) -> tensor<64x32xf32>
  %h2 = linalg.mul ins(%r, %g : tensor<64x32xf32>, tensor<64x32xf32>) outs(%f : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %h2 : tensor<64x32xf32>
}
