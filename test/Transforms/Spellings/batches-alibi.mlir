// The bias of ALiBi, a slope for each head times the distance: only the distances are a tensor, which is known at load.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops
// CHECK: {{^}}kernel

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<4x64x32xf32>, %arg1: tensor<4x64x32xf32>, %arg2: tensor<4x64x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<4xf32>) -> tensor<4x64x32xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<4x64x32xf32> into tensor<256x32xf32>
    %0 = tensor.empty() : tensor<256x32xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<256x32xf32>) -> tensor<256x32xf32>
    %2 = linalg.matmul ins(%collapsed, %arg3 : tensor<256x32xf32>, tensor<32x32xf32>) outs(%1 : tensor<256x32xf32>) -> tensor<256x32xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2]] output_shape [4, 64, 32] : tensor<256x32xf32> into tensor<4x64x32xf32>
    %3 = tensor.empty() : tensor<4x32x64xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<4x64x32xf32>) outs(%3 : tensor<4x32x64xf32>) permutation = [0, 2, 1] 
    %4 = tensor.empty() : tensor<4x64x64xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %6 = linalg.batch_matmul ins(%expanded, %transposed : tensor<4x64x32xf32>, tensor<4x32x64xf32>) outs(%5 : tensor<4x64x64xf32>) -> tensor<4x64x64xf32>
    %7 = tensor.empty() : tensor<4x64x64xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<4x64x64xf32>) outs(%7 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_5 = arith.constant 0.176776692 : f32
      %34 = arith.mulf %in, %cst_5 : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %9 = tensor.empty() : tensor<4x64x64xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<4xf32>) outs(%9 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = linalg.index 1 : index
      %35 = linalg.index 2 : index
      %36 = arith.subi %35, %34 : index
      %37 = arith.index_cast %36 : index to i64
      %38 = arith.sitofp %37 : i64 to f32
      %39 = arith.mulf %38, %in : f32
      linalg.yield %39 : f32
    } -> tensor<4x64x64xf32>
    %11 = tensor.empty() : tensor<4x64x64xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<4x64x64xf32>, tensor<4x64x64xf32>) outs(%11 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %34 = arith.addf %in, %in_5 : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %13 = tensor.empty() : tensor<1xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<1xf32>) -> tensor<1xf32>
    %15 = tensor.empty() : tensor<64x64xf32>
    %16 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%15 : tensor<64x64xf32>) {
    ^bb0(%out: f32):
      %34 = linalg.index 0 : index
      %35 = linalg.index 1 : index
      %36 = arith.cmpi sle, %35, %34 : index
      %true = arith.constant true
      %37 = arith.andi %36, %true : i1
      %cst_5 = arith.constant 0xFF800000 : f32
      %cst_6 = arith.constant 0.000000e+00 : f32
      %38 = arith.select %37, %cst_6, %cst_5 : f32
      linalg.yield %38 : f32
    } -> tensor<64x64xf32>
    %17 = tensor.empty() : tensor<4x64x64xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %16 : tensor<4x64x64xf32>, tensor<64x64xf32>) outs(%17 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %34 = arith.addf %in, %in_5 : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %19 = tensor.empty() : tensor<4x64x1xf32>
    %cst_2 = arith.constant 0xFF800000 : f32
    %20 = linalg.fill ins(%cst_2 : f32) outs(%19 : tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%18 : tensor<4x64x64xf32>) outs(%20 : tensor<4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.maximumf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x1xf32>
    %22 = tensor.empty() : tensor<4x64x64xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %21 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%22 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %34 = arith.subf %in, %in_5 : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %24 = tensor.empty() : tensor<4x64x64xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23 : tensor<4x64x64xf32>) outs(%24 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = math.exp %in : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %26 = tensor.empty() : tensor<4x64x1xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %27 = linalg.fill ins(%cst_3 : f32) outs(%26 : tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%25 : tensor<4x64x64xf32>) outs(%27 : tensor<4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %34 = arith.addf %in, %out : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x1xf32>
    %29 = tensor.empty() : tensor<4x64x64xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25, %28 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%29 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_5: f32, %out: f32):
      %34 = arith.divf %in, %in_5 : f32
      linalg.yield %34 : f32
    } -> tensor<4x64x64xf32>
    %31 = tensor.empty() : tensor<4x64x32xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %32 = linalg.fill ins(%cst_4 : f32) outs(%31 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    %33 = linalg.batch_matmul ins(%30, %arg2 : tensor<4x64x64xf32>, tensor<4x64x32xf32>) outs(%32 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    return %33 : tensor<4x64x32xf32>
  }
}

