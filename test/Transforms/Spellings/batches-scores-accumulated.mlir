// Scores that begin with a bias, of keys that are put together: a part of one index has its bias, too.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result {{.}}: relative error {{.*}} is allowed

func.func @main(%a0: tensor<2x24x16xf32>, %a1: tensor<2x1x16xf32>, %a2: tensor<2x2x16xf32>, %a3: tensor<2x2x25xf32>) -> (tensor<2x2x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %v1 = tensor.concat dim(1) %a0, %a1 : (tensor<2x24x16xf32>, tensor<2x1x16xf32>) -> tensor<2x25x16xf32>
  %v2 = tensor.empty() : tensor<2x2x25xf32>
  %v3 = linalg.fill ins(%zero : f32) outs(%v2 : tensor<2x2x25xf32>) -> tensor<2x2x25xf32>
  %v4 = linalg.generic {indexing_maps=[affine_map<(b,t,s,d)->(b,t,d)>,affine_map<(b,t,s,d)->(b,s,d)>,affine_map<(b,t,s,d)->(b,t,s)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%a2, %v1 : tensor<2x2x16xf32>, tensor<2x25x16xf32>) outs(%a3 : tensor<2x2x25xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x2x25xf32>
  %v5 = tensor.empty() : tensor<2x2xf32>
  %v6 = linalg.fill ins(%ninf : f32) outs(%v5 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %v7 = linalg.reduce { arith.maximumf } ins(%v4 : tensor<2x2x25xf32>) outs(%v6 : tensor<2x2xf32>) dimensions = [2]
  %v8 = tensor.empty() : tensor<2x2x25xf32>
  %v9 = linalg.generic {indexing_maps=[affine_map<(a,b,c)->(a,b,c)>,affine_map<(a,b,c)->(a,b)>,affine_map<(a,b,c)->(a,b,c)>], iterator_types=["parallel","parallel","parallel"]} ins(%v4, %v7 : tensor<2x2x25xf32>, tensor<2x2xf32>) outs(%v8 : tensor<2x2x25xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.subf %i0, %i1 : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<2x2x25xf32>
  %v10 = tensor.empty() : tensor<2x2xf32>
  %v11 = linalg.fill ins(%zero : f32) outs(%v10 : tensor<2x2xf32>) -> tensor<2x2xf32>
  %v12 = linalg.reduce { arith.addf } ins(%v9 : tensor<2x2x25xf32>) outs(%v11 : tensor<2x2xf32>) dimensions = [2]
  %v13 = tensor.empty() : tensor<2x2x25xf32>
  %v14 = linalg.generic {indexing_maps=[affine_map<(a,b,c)->(a,b,c)>,affine_map<(a,b,c)->(a,b)>,affine_map<(a,b,c)->(a,b,c)>], iterator_types=["parallel","parallel","parallel"]} ins(%v9, %v12 : tensor<2x2x25xf32>, tensor<2x2xf32>) outs(%v13 : tensor<2x2x25xf32>) {
  ^bb0(%i0: f32, %i1: f32, %o: f32):
    %d = arith.divf %i0, %i1 : f32
    linalg.yield %d : f32
  } -> tensor<2x2x25xf32>
  %v15 = tensor.empty() : tensor<2x2x16xf32>
  %v16 = linalg.fill ins(%zero : f32) outs(%v15 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
  %v17 = linalg.generic {indexing_maps=[affine_map<(b,t,d,s)->(b,t,s)>,affine_map<(b,t,d,s)->(b,s,d)>,affine_map<(b,t,d,s)->(b,t,d)>], iterator_types=["parallel","parallel","parallel","reduction"]} ins(%v14, %v1 : tensor<2x2x25xf32>, tensor<2x25x16xf32>) outs(%v16 : tensor<2x2x16xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %o, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x2x16xf32>
  return %v17 : tensor<2x2x16xf32>
}
