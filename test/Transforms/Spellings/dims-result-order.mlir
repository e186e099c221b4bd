// Maxima, the dimensions of which are in another order than the loops.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error {{.*}} is allowed

func.func @main(%x: tensor<4x100x8xf32>, %w: tensor<8x16xf32>) -> (tensor<16x4xf32>) {
  %z = arith.constant 0.0 : f32
  %n = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x100x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x100x16xf32>) -> tensor<4x100x16xf32>
  %a0 = linalg.generic {indexing_maps=[affine_map<(a,b,c,d)->(a,b,d)>,affine_map<(a,b,c,d)->(d,c)>,affine_map<(a,b,c,d)->(a,b,c)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%x, %w : tensor<4x100x8xf32>, tensor<8x16xf32>) outs(%f : tensor<4x100x16xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %m = arith.mulf %i0, %i1 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<4x100x16xf32>
  %v12 = tensor.empty() : tensor<16x4xf32>
  %v13 = linalg.fill ins(%n : f32) outs(%v12 : tensor<16x4xf32>) -> tensor<16x4xf32>
  %v14 = linalg.generic {indexing_maps=[affine_map<(a,b,c)->(a,b,c)>,affine_map<(a,b,c)->(c,a)>], iterator_types=["parallel","reduction","parallel"]} ins(%a0 : tensor<4x100x16xf32>) outs(%v13 : tensor<16x4xf32>) {
  ^bb0(%i0: f32, %o: f32):
    %s = arith.maximumf %i0, %o : f32
    linalg.yield %s : f32
  } -> tensor<16x4xf32>
  return %v14 : tensor<16x4xf32>
}
