// Two slices of a product may take the same columns.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: verify: result {{.}}: relative error {{.*}} is allowed

func.func @main(%a0: tensor<1x32x64xf32>, %a1: tensor<64x128xf32>, %a2: tensor<1x32x4x16xf32>) -> (tensor<1x4x32x16xf32>, tensor<1x32x4x16xf32>, tensor<1x32x4x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<1x32x128xf32>
  %v2 = linalg.fill ins(%zero : f32) outs(%v1 : tensor<1x32x128xf32>) -> tensor<1x32x128xf32>
  %v3 = linalg.generic {indexing_maps=[affine_map<(b,t,n,e)->(b,t,e)>,affine_map<(b,t,n,e)->(e,n)>,affine_map<(b,t,n,e)->(b,t,n)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a0, %a1 : tensor<1x32x64xf32>, tensor<64x128xf32>) outs(%v2 : tensor<1x32x128xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<1x32x128xf32>
  %v4 = tensor.expand_shape %v3 [[0], [1], [2, 3, 4]] output_shape [1, 32, 2, 4, 16] : tensor<1x32x128xf32> into tensor<1x32x2x4x16xf32>
  %v5 = tensor.extract_slice %v4[0, 0, 1, 0, 0][1, 32, 1, 4, 16][1, 1, 1, 1, 1] : tensor<1x32x2x4x16xf32> to tensor<1x32x4x16xf32>
  %v6 = tensor.empty() : tensor<1x4x32x16xf32>
  %v7 = linalg.transpose ins(%v5 : tensor<1x32x4x16xf32>) outs(%v6 : tensor<1x4x32x16xf32>) permutation = [0, 2, 1, 3]
  %v8 = tensor.extract_slice %v4[0, 0, 0, 0, 0][1, 32, 1, 4, 16][1, 1, 1, 1, 1] : tensor<1x32x2x4x16xf32> to tensor<1x32x4x16xf32>
  %v9 = tensor.empty() : tensor<1x32x4x16xf32>
  %v10 = linalg.generic {indexing_maps=[affine_map<(b,t,h,d)->(b,t,h,d)>,affine_map<(b,t,h,d)->(b,t,h,d)>,affine_map<(b,t,h,d)->(b,t,h,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%v8, %a2 : tensor<1x32x4x16xf32>, tensor<1x32x4x16xf32>) outs(%v9 : tensor<1x32x4x16xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %s = arith.mulf %i0, %i1 : f32
    linalg.yield %s : f32
  } -> tensor<1x32x4x16xf32>
  %v11 = tensor.extract_slice %v4[0, 0, 1, 0, 0][1, 32, 1, 4, 16][1, 1, 1, 1, 1] : tensor<1x32x2x4x16xf32> to tensor<1x32x4x16xf32>
  return %v7, %v10, %v11 : tensor<1x4x32x16xf32>, tensor<1x32x4x16xf32>, tensor<1x32x4x16xf32>
}
