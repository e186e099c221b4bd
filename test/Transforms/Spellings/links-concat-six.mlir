// The columns of six products are put together and multiplied: each part is multiplied where it is.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

module {
  func.func @main(%a0: tensor<64x128xf32>, %a1: tensor<128x32xf32>, %a2: tensor<128x32xf32>, %a3: tensor<128x32xf32>, %a4: tensor<128x32xf32>, %a5: tensor<128x32xf32>, %a6: tensor<128x32xf32>, %a7: tensor<192x128xf32>) -> (tensor<64x128xf32>) {
    %v1 = arith.constant 0.0 : f32
    %v2 = tensor.empty() : tensor<64x32xf32>
    %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v4 = linalg.matmul ins(%a0, %a1 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v3 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v5 = arith.constant 0.0 : f32
    %v6 = tensor.empty() : tensor<64x32xf32>
    %v7 = linalg.fill ins(%v5 : f32) outs(%v6 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v8 = linalg.matmul ins(%a0, %a2 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v7 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v9 = arith.constant 0.0 : f32
    %v10 = tensor.empty() : tensor<64x32xf32>
    %v11 = linalg.fill ins(%v9 : f32) outs(%v10 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v12 = linalg.matmul ins(%a0, %a3 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v11 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v13 = arith.constant 0.0 : f32
    %v14 = tensor.empty() : tensor<64x32xf32>
    %v15 = linalg.fill ins(%v13 : f32) outs(%v14 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v16 = linalg.matmul ins(%a0, %a4 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v15 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v17 = arith.constant 0.0 : f32
    %v18 = tensor.empty() : tensor<64x32xf32>
    %v19 = linalg.fill ins(%v17 : f32) outs(%v18 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v20 = linalg.matmul ins(%a0, %a5 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v19 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v21 = arith.constant 0.0 : f32
    %v22 = tensor.empty() : tensor<64x32xf32>
    %v23 = linalg.fill ins(%v21 : f32) outs(%v22 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v24 = linalg.matmul ins(%a0, %a6 : tensor<64x128xf32>, tensor<128x32xf32>) outs(%v23 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %v25 = tensor.concat dim(1) %v4, %v8, %v12, %v16, %v20, %v24 : (tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x192xf32>
    %v26 = tensor.empty() : tensor<64x192xf32>
    %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v25 : tensor<64x192xf32>) outs(%v26 : tensor<64x192xf32>) {
    ^bb0(%v27_i0: f32, %v27_o: f32):
    %v28 = arith.constant 1.0 : f32
    %v29 = arith.negf %v27_i0 : f32
    %v30 = math.exp %v29 : f32
    %v31 = arith.addf %v30, %v28 : f32
    %v32 = arith.divf %v28, %v31 : f32
      linalg.yield %v32 : f32
    } -> tensor<64x192xf32>
    %v33 = tensor.empty() : tensor<64x192xf32>
    %v34 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v27, %v25 : tensor<64x192xf32>, tensor<64x192xf32>) outs(%v33 : tensor<64x192xf32>) {
    ^bb0(%v34_i0: f32, %v34_i1: f32, %v34_o: f32):
    %v35 = arith.mulf %v34_i0, %v34_i1 : f32
      linalg.yield %v35 : f32
    } -> tensor<64x192xf32>
    %v36 = arith.constant 0.0 : f32
    %v37 = tensor.empty() : tensor<64x128xf32>
    %v38 = linalg.fill ins(%v36 : f32) outs(%v37 : tensor<64x128xf32>) -> tensor<64x128xf32>
    %v39 = linalg.matmul ins(%v34, %a7 : tensor<64x192xf32>, tensor<192x128xf32>) outs(%v38 : tensor<64x128xf32>) -> tensor<64x128xf32>
    return %v39 : tensor<64x128xf32>
  }
}
