// Conditions of numbers as tensors, as torch-mlir writes them, choose between others: kernels select.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

module {
  func.func @main(%a0: tensor<64x96xf32>, %a1: tensor<96x80xf32>, %a2: tensor<80xf32>, %a3: tensor<80xf32>) -> (tensor<64x80xf32>) {
    %v1 = arith.constant 0.0 : f32
    %v2 = tensor.empty() : tensor<64x80xf32>
    %v3 = linalg.fill ins(%v1 : f32) outs(%v2 : tensor<64x80xf32>) -> tensor<64x80xf32>
    %v4 = linalg.matmul ins(%a0, %a1 : tensor<64x96xf32>, tensor<96x80xf32>) outs(%v3 : tensor<64x80xf32>) -> tensor<64x80xf32>
    %v5 = tensor.empty() : tensor<64x80xi1>
    %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v4, %a2 : tensor<64x80xf32>, tensor<80xf32>) outs(%v5 : tensor<64x80xi1>) {
    ^bb0(%v6_i0: f32, %v6_i1: f32, %v6_o: i1):
    %v7 = arith.cmpf ogt, %v6_i0, %v6_i1 : f32
      linalg.yield %v7 : i1
    } -> tensor<64x80xi1>
    %v8 = tensor.empty() : tensor<64x80xi1>
    %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v4, %a3 : tensor<64x80xf32>, tensor<80xf32>) outs(%v8 : tensor<64x80xi1>) {
    ^bb0(%v9_i0: f32, %v9_i1: f32, %v9_o: i1):
    %v10 = arith.cmpf olt, %v9_i0, %v9_i1 : f32
      linalg.yield %v10 : i1
    } -> tensor<64x80xi1>
    %v11 = tensor.empty() : tensor<64x80xi1>
    %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v6, %v9 : tensor<64x80xi1>, tensor<64x80xi1>) outs(%v11 : tensor<64x80xi1>) {
    ^bb0(%v12_i0: i1, %v12_i1: i1, %v12_o: i1):
    %v13 = arith.andi %v12_i0, %v12_i1 : i1
      linalg.yield %v13 : i1
    } -> tensor<64x80xi1>
    %v14 = tensor.empty() : tensor<64x80xf32>
    %v15 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v4 : tensor<64x80xf32>) outs(%v14 : tensor<64x80xf32>) {
    ^bb0(%v15_i0: f32, %v15_o: f32):
    %v16 = arith.constant 0.1 : f32
    %v17 = arith.mulf %v15_i0, %v16 : f32
      linalg.yield %v17 : f32
    } -> tensor<64x80xf32>
    %v18 = tensor.empty() : tensor<64x80xf32>
    %v19 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v12, %v4, %v15 : tensor<64x80xi1>, tensor<64x80xf32>, tensor<64x80xf32>) outs(%v18 : tensor<64x80xf32>) {
    ^bb0(%v19_i0: i1, %v19_i1: f32, %v19_i2: f32, %v19_o: f32):
    %v20 = arith.select %v19_i0, %v19_i1, %v19_i2 : f32
      linalg.yield %v20 : f32
    } -> tensor<64x80xf32>
    return %v19 : tensor<64x80xf32>
  }
}
