// Keys and values of a token are appended to those before it, and repeated for the heads that share them: attention reads both where they are, and the host puts them together behind all kernels.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK: host_ops
// CHECK-NEXT: count
// CHECK-NEXT: tensor.concat
// CHECK-NEXT: tensor.concat
// CHECK-NEXT: leaves out 2 host ops

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x1x64xf32>, %arg1: tensor<1x2x40x32xf32>, %arg2: tensor<1x2x40x32xf32>, %arg3: tensor<128x64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<1x1x1x41xf32>, %arg7: tensor<64x128xf32>) -> (tensor<1x1x64xf32>, tensor<1x2x41x32xf32>, tensor<1x2x41x32xf32>) {
    %0 = tensor.empty() : tensor<64x128xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<128x64xf32>) outs(%0 : tensor<64x128xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x1x64xf32> into tensor<1x64xf32>
    %1 = tensor.empty() : tensor<1x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<1x64xf32>, tensor<64x128xf32>) outs(%2 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2]] output_shape [1, 1, 128] : tensor<1x128xf32> into tensor<1x1x128xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 1, 4, 32] : tensor<1x1x128xf32> into tensor<1x1x4x32xf32>
    %4 = tensor.empty() : tensor<1x4x1x32xf32>
    %transposed_1 = linalg.transpose ins(%expanded_0 : tensor<1x1x4x32xf32>) outs(%4 : tensor<1x4x1x32xf32>) permutation = [0, 2, 1, 3] 
    %5 = tensor.empty() : tensor<64x64xf32>
    %transposed_2 = linalg.transpose ins(%arg4 : tensor<64x64xf32>) outs(%5 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x1x64xf32> into tensor<1x64xf32>
    %6 = tensor.empty() : tensor<1x64xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %7 = linalg.fill ins(%cst_4 : f32) outs(%6 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %8 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<1x64xf32>, tensor<64x64xf32>) outs(%7 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %expanded_5 = tensor.expand_shape %8 [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [1, 1, 2, 32] : tensor<1x1x64xf32> into tensor<1x1x2x32xf32>
    %9 = tensor.empty() : tensor<1x2x1x32xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x1x2x32xf32>) outs(%9 : tensor<1x2x1x32xf32>) permutation = [0, 2, 1, 3] 
    %10 = tensor.empty() : tensor<64x64xf32>
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<64x64xf32>) outs(%10 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_9 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x1x64xf32> into tensor<1x64xf32>
    %11 = tensor.empty() : tensor<1x64xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %12 = linalg.fill ins(%cst_10 : f32) outs(%11 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %13 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<1x64xf32>, tensor<64x64xf32>) outs(%12 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %expanded_11 = tensor.expand_shape %13 [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    %expanded_12 = tensor.expand_shape %expanded_11 [[0], [1], [2, 3]] output_shape [1, 1, 2, 32] : tensor<1x1x64xf32> into tensor<1x1x2x32xf32>
    %14 = tensor.empty() : tensor<1x2x1x32xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x1x2x32xf32>) outs(%14 : tensor<1x2x1x32xf32>) permutation = [0, 2, 1, 3] 
    %concat = tensor.concat dim(2) %arg1, %transposed_7 : (tensor<1x2x40x32xf32>, tensor<1x2x1x32xf32>) -> tensor<1x2x41x32xf32>
    %concat_14 = tensor.concat dim(2) %arg2, %transposed_13 : (tensor<1x2x40x32xf32>, tensor<1x2x1x32xf32>) -> tensor<1x2x41x32xf32>
    %expanded_15 = tensor.expand_shape %concat [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 32] : tensor<1x2x41x32xf32> into tensor<1x2x1x41x32xf32>
    %15 = tensor.empty() : tensor<1x2x2x41x32xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15 : tensor<1x2x1x41x32xf32>) outs(%15 : tensor<1x2x2x41x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x41x32xf32>
    %collapsed_16 = tensor.collapse_shape %16 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x32xf32> into tensor<1x4x41x32xf32>
    %expanded_17 = tensor.expand_shape %concat_14 [[0], [1, 2], [3], [4]] output_shape [1, 2, 1, 41, 32] : tensor<1x2x41x32xf32> into tensor<1x2x1x41x32xf32>
    %17 = tensor.empty() : tensor<1x2x2x41x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<1x2x1x41x32xf32>) outs(%17 : tensor<1x2x2x41x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x41x32xf32>
    %collapsed_18 = tensor.collapse_shape %18 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x32xf32> into tensor<1x4x41x32xf32>
    %19 = tensor.empty() : tensor<1x4x32x41xf32>
    %transposed_19 = linalg.transpose ins(%collapsed_16 : tensor<1x4x41x32xf32>) outs(%19 : tensor<1x4x32x41xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %transposed_1 [[0, 1], [2], [3]] : tensor<1x4x1x32xf32> into tensor<4x1x32xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x4x32x41xf32> into tensor<4x32x41xf32>
    %20 = tensor.empty() : tensor<4x1x41xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %21 = linalg.fill ins(%cst_22 : f32) outs(%20 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %22 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<4x1x32xf32>, tensor<4x32x41xf32>) outs(%21 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %expanded_23 = tensor.expand_shape %22 [[0, 1], [2], [3]] output_shape [1, 4, 1, 41] : tensor<4x1x41xf32> into tensor<1x4x1x41xf32>
    %23 = tensor.empty() : tensor<1x4x1x41xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x4x1x41xf32>) outs(%23 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 0.176776692 : f32
      %47 = arith.mulf %in, %cst_36 : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x41xf32>
    %25 = tensor.empty() : tensor<1x4x1x41xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %arg6 : tensor<1x4x1x41xf32>, tensor<1x1x1x41xf32>) outs(%25 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %47 = arith.addf %in, %in_36 : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x41xf32>
    %27 = tensor.empty() : tensor<1x4x1x1xf32>
    %cst_24 = arith.constant 0xFF800000 : f32
    %28 = linalg.fill ins(%cst_24 : f32) outs(%27 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %29 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%26 : tensor<1x4x1x41xf32>) outs(%28 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.maximumf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x1xf32>
    %30 = tensor.empty() : tensor<1x4x1x41xf32>
    %31 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26, %29 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%30 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %47 = arith.subf %in, %in_36 : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x41xf32>
    %32 = tensor.empty() : tensor<1x4x1x41xf32>
    %33 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x4x1x41xf32>) outs(%32 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = math.exp %in : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x41xf32>
    %34 = tensor.empty() : tensor<1x4x1x1xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %35 = linalg.fill ins(%cst_25 : f32) outs(%34 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %36 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%33 : tensor<1x4x1x41xf32>) outs(%35 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %47 = arith.addf %in, %out : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x1xf32>
    %37 = tensor.empty() : tensor<1x4x1x41xf32>
    %38 = linalg.generic {indexing_maps = [#map2, #map4, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %36 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%37 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %47 = arith.divf %in, %in_36 : f32
      linalg.yield %47 : f32
    } -> tensor<1x4x1x41xf32>
    %collapsed_26 = tensor.collapse_shape %38 [[0, 1], [2], [3]] : tensor<1x4x1x41xf32> into tensor<4x1x41xf32>
    %collapsed_27 = tensor.collapse_shape %collapsed_18 [[0, 1], [2], [3]] : tensor<1x4x41x32xf32> into tensor<4x41x32xf32>
    %39 = tensor.empty() : tensor<4x1x32xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %40 = linalg.fill ins(%cst_28 : f32) outs(%39 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %41 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<4x1x41xf32>, tensor<4x41x32xf32>) outs(%40 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %expanded_29 = tensor.expand_shape %41 [[0, 1], [2], [3]] output_shape [1, 4, 1, 32] : tensor<4x1x32xf32> into tensor<1x4x1x32xf32>
    %42 = tensor.empty() : tensor<1x1x4x32xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x4x1x32xf32>) outs(%42 : tensor<1x1x4x32xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<1x1x4x32xf32> into tensor<1x1x128xf32>
    %43 = tensor.empty() : tensor<128x64xf32>
    %transposed_32 = linalg.transpose ins(%arg7 : tensor<64x128xf32>) outs(%43 : tensor<128x64xf32>) permutation = [1, 0] 
    %collapsed_33 = tensor.collapse_shape %collapsed_31 [[0, 1], [2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %44 = tensor.empty() : tensor<1x64xf32>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %45 = linalg.fill ins(%cst_34 : f32) outs(%44 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %46 = linalg.matmul ins(%collapsed_33, %transposed_32 : tensor<1x128xf32>, tensor<128x64xf32>) outs(%45 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %expanded_35 = tensor.expand_shape %46 [[0, 1], [2]] output_shape [1, 1, 64] : tensor<1x64xf32> into tensor<1x1x64xf32>
    return %expanded_35, %concat, %concat_14 : tensor<1x1x64xf32>, tensor<1x2x41x32xf32>, tensor<1x2x41x32xf32>
  }
}

