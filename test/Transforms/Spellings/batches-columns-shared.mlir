// Batches have rows of one slice of a matrix: the host takes it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-compile=effort=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY
// CHECK: verify: result 0: relative error {{.*}} is allowed
// WHY: must take a range of rows and columns, or columns of several matrices

func.func @main(%a: tensor<3x2x8xf32>, %k: tensor<3x2x3x8xf32>, %w: tensor<2x19xf32>) -> tensor<2x3x3xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
  %p = linalg.generic {indexing_maps=[affine_map<(h,b,s,d)->(b,h,d)>,affine_map<(h,b,s,d)->(b,h,s,d)>,affine_map<(h,b,s,d)->(h,b,s)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a, %k : tensor<3x2x8xf32>, tensor<3x2x3x8xf32>) outs(%f : tensor<2x3x3xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %m = arith.mulf %i0, %i1 : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<2x3x3xf32>
  %x = tensor.extract_slice %w[0, 16][2, 3][1, 1] : tensor<2x19xf32> to tensor<2x3xf32>
  %q = linalg.generic {indexing_maps=[affine_map<(h,b,s)->(h,b,s)>,affine_map<(h,b,s)->(h,s)>,affine_map<(h,b,s)->(h,b,s)>], iterator_types=["parallel","parallel","parallel"]} ins(%p, %x : tensor<2x3x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3x3xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %y = arith.addf %i0, %i1 : f32
    linalg.yield %y : f32
  } -> tensor<2x3x3xf32>
  return %q : tensor<2x3x3xf32>
}
