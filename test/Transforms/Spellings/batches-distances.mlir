// Squared distances from keys that are inserted are sums, but not of products.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result {{.}}: relative error {{.*}} is allowed

func.func @main(%a0: tensor<2x24x16xf32>, %a1: tensor<2x1x16xf32>, %a2: tensor<2x2x16xf32>, %a3: tensor<2x2x25xf32>) -> (tensor<2x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %v1 = tensor.empty() : tensor<2x25x16xf32>
  %v2 = tensor.insert_slice %a0 into %v1[0, 0, 0][2, 24, 16][1, 1, 1] : tensor<2x24x16xf32> into tensor<2x25x16xf32>
  %v3 = tensor.insert_slice %a1 into %v2[0, 24, 0][2, 1, 16][1, 1, 1] : tensor<2x1x16xf32> into tensor<2x25x16xf32>
  %v4 = tensor.empty() : tensor<2x2x25xf32>
  %v5 = linalg.fill ins(%zero : f32) outs(%v4 : tensor<2x2x25xf32>) -> tensor<2x2x25xf32>
  %v6 = linalg.generic {indexing_maps=[affine_map<(b,t,s,d)->(b,t,d)>,affine_map<(b,t,s,d)->(b,s,d)>,affine_map<(b,t,s,d)->(b,t,s)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a2, %v3 : tensor<2x2x16xf32>, tensor<2x25x16xf32>) outs(%v5 : tensor<2x2x25xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
  %m0 = arith.subf %p, %q : f32
    %m = arith.mulf %m0, %m0 : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x2x25xf32>
  %v7 = tensor.empty() : tensor<2x2xf32>
  %v8 = linalg.fill ins(%ninf : f32) outs(%v7 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %v9 = linalg.reduce { arith.maximumf } ins(%v6 : tensor<2x2x25xf32>) outs(%v8 : tensor<2x2xf32>) dimensions = [2]
  %v10 = tensor.empty() : tensor<2x2x25xf32>
  %v11 = linalg.generic {indexing_maps=[affine_map<(a,b,c)->(a,b,c)>,affine_map<(a,b,c)->(a,b)>,affine_map<(a,b,c)->(a,b,c)>], iterator_types=["parallel","parallel","parallel"]} ins(%v6, %v9 : tensor<2x2x25xf32>, tensor<2x2xf32>) outs(%v10 : tensor<2x2x25xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.subf %i0, %i1 : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<2x2x25xf32>
  %v12 = tensor.empty() : tensor<2x2xf32>
  %v13 = linalg.fill ins(%zero : f32) outs(%v12 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %v14 = linalg.reduce { arith.addf } ins(%v11 : tensor<2x2x25xf32>) outs(%v13 : tensor<2x2xf32>) dimensions = [2]
  %v15 = tensor.empty() : tensor<2x2x25xf32>
  %v16 = linalg.generic {indexing_maps=[affine_map<(a,b,c)->(a,b,c)>,affine_map<(a,b,c)->(a,b)>,affine_map<(a,b,c)->(a,b,c)>], iterator_types=["parallel","parallel","parallel"]} ins(%v11, %v14 : tensor<2x2x25xf32>, tensor<2x2xf32>) outs(%v15 : tensor<2x2x25xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.divf %i0, %i1 : f32
    linalg.yield %d : f32
  } -> tensor<2x2x25xf32>
  %v17 = tensor.empty() : tensor<2x2x16xf32>
  %v18 = linalg.fill ins(%zero : f32) outs(%v17 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
  %v19 = linalg.generic {indexing_maps=[affine_map<(b,t,d,s)->(b,t,s)>,affine_map<(b,t,d,s)->(b,s,d)>,affine_map<(b,t,d,s)->(b,t,d)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%v16, %v3 : tensor<2x2x25xf32>, tensor<2x25x16xf32>) outs(%v18 : tensor<2x2x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x2x16xf32>
  return %v19 : tensor<2x2x16xf32>
}
