// A mask of conditions that are given and of indices, behind a product: the host turns it into numbers before all kernels.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
module {
  func.func @main(%arg0: tensor<4x64x32xf32>, %arg1: tensor<4x64x32xf32>, %arg2: tensor<4x64x32xf32>, %arg3: tensor<32x32xf32>, %arg4: tensor<1x64xi1>) -> tensor<4x64x32xf32> {
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
      %cst_4 = arith.constant 0.176776692 : f32
      %26 = arith.mulf %in, %cst_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x64xf32>
    %9 = tensor.empty() : tensor<4x64x64xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4, %8 : tensor<1x64xi1>, tensor<4x64x64xf32>) outs(%9 : tensor<4x64x64xf32>) {
    ^bb0(%in: i1, %in_4: f32, %out: f32):
      %26 = linalg.index 1 : index
      %27 = linalg.index 2 : index
      %28 = arith.cmpi sle, %27, %26 : index
      %29 = arith.andi %28, %in : i1
      %cst_5 = arith.constant -3.40282347E+38 : f32
      %30 = arith.select %29, %in_4, %cst_5 : f32
      linalg.yield %30 : f32
    } -> tensor<4x64x64xf32>
    %11 = tensor.empty() : tensor<4x64x1xf32>
    %cst_1 = arith.constant 0xFF800000 : f32
    %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<4x64x64xf32>) outs(%12 : tensor<4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.maximumf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x1xf32>
    %14 = tensor.empty() : tensor<4x64x64xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10, %13 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%14 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.subf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x64xf32>
    %16 = tensor.empty() : tensor<4x64x64xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x64x64xf32>) outs(%16 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = math.exp %in : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x64xf32>
    %18 = tensor.empty() : tensor<4x64x1xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %19 = linalg.fill ins(%cst_2 : f32) outs(%18 : tensor<4x64x1xf32>) -> tensor<4x64x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%17 : tensor<4x64x64xf32>) outs(%19 : tensor<4x64x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %26 = arith.addf %in, %out : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x1xf32>
    %21 = tensor.empty() : tensor<4x64x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %20 : tensor<4x64x64xf32>, tensor<4x64x1xf32>) outs(%21 : tensor<4x64x64xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %26 = arith.divf %in, %in_4 : f32
      linalg.yield %26 : f32
    } -> tensor<4x64x64xf32>
    %23 = tensor.empty() : tensor<4x64x32xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %24 = linalg.fill ins(%cst_3 : f32) outs(%23 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    %25 = linalg.batch_matmul ins(%22, %arg2 : tensor<4x64x64xf32>, tensor<4x64x32xf32>) outs(%24 : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
    return %25 : tensor<4x64x32xf32>
  }
}

