// Four heads that share keys are rows of one product, also with the key of a token behind the cache.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

func.func @main(%a0: tensor<2x3x4x8xf32>, %a1: tensor<2x3x16x8xf32>, %a2: tensor<2x3x1x8xf32>) -> (tensor<2x3x4x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %v1 = tensor.concat dim(2) %a1, %a2 : (tensor<2x3x16x8xf32>, tensor<2x3x1x8xf32>) -> tensor<2x3x17x8xf32>
  %v2 = tensor.empty() : tensor<2x3x4x17xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<2x3x4x17xf32>) -> tensor<2x3x4x17xf32>
  %v4 = linalg.generic {indexing_maps=[affine_map<(b,h,t,s,d)->(b,h,t,d)>,affine_map<(b,h,t,s,d)->(b,h,s,d)>,affine_map<(b,h,t,s,d)->(b,h,t,s)>], iterator_types=["parallel","parallel","parallel","parallel","reduction"]} ins(%a0, %v1 : tensor<2x3x4x8xf32>, tensor<2x3x17x8xf32>) outs(%v3 : tensor<2x3x4x17xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x17xf32>
  %v5 = tensor.empty() : tensor<2x3x4xf32>
  %v6 = linalg.fill ins(%ninf : f32) outs(%v5 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v7 = linalg.reduce { arith.maximumf } ins(%v4 : tensor<2x3x4x17xf32>) outs(%v6 : tensor<2x3x4xf32>) dimensions = [3]
  %v8 = tensor.empty() : tensor<2x3x4x17xf32>
  %v9 = linalg.generic {indexing_maps=[affine_map<(a,b,c,d)->(a,b,c,d)>,affine_map<(a,b,c,d)->(a,b,c)>,affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%v4, %v7 : tensor<2x3x4x17xf32>, tensor<2x3x4xf32>) outs(%v8 : tensor<2x3x4x17xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.subf %i0, %i1 : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<2x3x4x17xf32>
  %v10 = tensor.empty() : tensor<2x3x4xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %v12 = linalg.reduce { arith.addf } ins(%v9 : tensor<2x3x4x17xf32>) outs(%v11 : tensor<2x3x4xf32>) dimensions = [3]
  %v13 = tensor.empty() : tensor<2x3x4x17xf32>
  %v14 = linalg.generic {indexing_maps=[affine_map<(a,b,c,d)->(a,b,c,d)>,affine_map<(a,b,c,d)->(a,b,c)>,affine_map<(a,b,c,d)->(a,b,c,d)>], iterator_types=["parallel","parallel","parallel","parallel"]} ins(%v9, %v12 : tensor<2x3x4x17xf32>, tensor<2x3x4xf32>) outs(%v13 : tensor<2x3x4x17xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.divf %i0, %i1 : f32
    linalg.yield %d : f32
  } -> tensor<2x3x4x17xf32>
  %v15 = tensor.empty() : tensor<2x3x4x8xf32>
  %v16 = linalg.fill ins(%zero : f32) outs(%v15 : tensor<2x3x4x8xf32>) -> tensor<2x3x4x8xf32>
  %v17 = linalg.generic {indexing_maps=[affine_map<(b,h,t,d,s)->(b,h,t,s)>,affine_map<(b,h,t,d,s)->(b,h,s,d)>,affine_map<(b,h,t,d,s)->(b,h,t,d)>], iterator_types=["parallel","parallel","parallel","parallel","reduction"]} ins(%v14, %v1 : tensor<2x3x4x17xf32>, tensor<2x3x17x8xf32>) outs(%v16 : tensor<2x3x4x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x8xf32>
  return %v17 : tensor<2x3x4x8xf32>
}
