// Attention without a softmax whose features are sums of sines and cosines, put together: its parts fall into several kernels, which read each other's results.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, 0)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d2)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map9 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x26x48xbf16>, %arg1: tensor<48x48xbf16>, %arg2: tensor<48x48xbf16>, %arg3: tensor<48x48xbf16>, %arg4: tensor<1x1x26x1xbf16>, %arg5: tensor<1x1x26x1xbf16>, %arg6: tensor<48x48xbf16>) -> tensor<1x26x48xbf16> {
    %0 = tensor.empty() : tensor<48x48xbf16>
    %transposed = linalg.transpose ins(%arg1 : tensor<48x48xbf16>) outs(%0 : tensor<48x48xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x26x48xbf16> into tensor<26x48xbf16>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<26x48xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<26x48xbf16>, tensor<48x48xbf16>) outs(%2 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %4 = tensor.empty() : tensor<26x48xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<26x48xf32>) outs(%4 : tensor<26x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<26x48xbf16>
    %expanded = tensor.expand_shape %5 [[0, 1], [2]] output_shape [1, 26, 48] : tensor<26x48xbf16> into tensor<1x26x48xbf16>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 26, 3, 16] : tensor<1x26x48xbf16> into tensor<1x26x3x16xbf16>
    %6 = tensor.empty() : tensor<1x3x26x16xbf16>
    %transposed_1 = linalg.transpose ins(%expanded_0 : tensor<1x26x3x16xbf16>) outs(%6 : tensor<1x3x26x16xbf16>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<48x48xbf16>
    %transposed_2 = linalg.transpose ins(%arg2 : tensor<48x48xbf16>) outs(%7 : tensor<48x48xbf16>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x26x48xbf16> into tensor<26x48xbf16>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<26x48xf32>
    %9 = linalg.fill ins(%cst_4 : f32) outs(%8 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %10 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<26x48xbf16>, tensor<48x48xbf16>) outs(%9 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %11 = tensor.empty() : tensor<26x48xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<26x48xf32>) outs(%11 : tensor<26x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<26x48xbf16>
    %expanded_5 = tensor.expand_shape %12 [[0, 1], [2]] output_shape [1, 26, 48] : tensor<26x48xbf16> into tensor<1x26x48xbf16>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [1, 26, 3, 16] : tensor<1x26x48xbf16> into tensor<1x26x3x16xbf16>
    %13 = tensor.empty() : tensor<1x3x26x16xbf16>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x26x3x16xbf16>) outs(%13 : tensor<1x3x26x16xbf16>) permutation = [0, 2, 1, 3] 
    %14 = tensor.empty() : tensor<48x48xbf16>
    %transposed_8 = linalg.transpose ins(%arg3 : tensor<48x48xbf16>) outs(%14 : tensor<48x48xbf16>) permutation = [1, 0] 
    %collapsed_9 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x26x48xbf16> into tensor<26x48xbf16>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<26x48xf32>
    %16 = linalg.fill ins(%cst_10 : f32) outs(%15 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %17 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<26x48xbf16>, tensor<48x48xbf16>) outs(%16 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %18 = tensor.empty() : tensor<26x48xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<26x48xf32>) outs(%18 : tensor<26x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<26x48xbf16>
    %expanded_11 = tensor.expand_shape %19 [[0, 1], [2]] output_shape [1, 26, 48] : tensor<26x48xbf16> into tensor<1x26x48xbf16>
    %expanded_12 = tensor.expand_shape %expanded_11 [[0], [1], [2, 3]] output_shape [1, 26, 3, 16] : tensor<1x26x48xbf16> into tensor<1x26x3x16xbf16>
    %20 = tensor.empty() : tensor<1x3x26x16xbf16>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x26x3x16xbf16>) outs(%20 : tensor<1x3x26x16xbf16>) permutation = [0, 2, 1, 3] 
    %21 = tensor.empty() : tensor<1x3x26x16xbf16>
    %22 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_1 : tensor<1x3x26x16xbf16>) outs(%21 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_30 = arith.constant 0.000000e+00 : bf16
      %62 = arith.cmpf ugt, %in, %cst_30 : bf16
      %63 = arith.select %62, %in, %cst_30 : bf16
      linalg.yield %63 : bf16
    } -> tensor<1x3x26x16xbf16>
    %23 = tensor.empty() : tensor<1x3x26x16xbf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_7 : tensor<1x3x26x16xbf16>) outs(%23 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_30 = arith.constant 0.000000e+00 : bf16
      %62 = arith.cmpf ugt, %in, %cst_30 : bf16
      %63 = arith.select %62, %in, %cst_30 : bf16
      linalg.yield %63 : bf16
    } -> tensor<1x3x26x16xbf16>
    %25 = tensor.empty() : tensor<1x3x26x16xbf16>
    %26 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %arg4 : tensor<1x3x26x16xbf16>, tensor<1x1x26x1xbf16>) outs(%25 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %62 = arith.mulf %in, %in_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26x16xbf16>
    %27 = tensor.empty() : tensor<1x3x26x16xbf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %arg5 : tensor<1x3x26x16xbf16>, tensor<1x1x26x1xbf16>) outs(%27 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %62 = arith.mulf %in, %in_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26x16xbf16>
    %concat = tensor.concat dim(3) %26, %28 : (tensor<1x3x26x16xbf16>, tensor<1x3x26x16xbf16>) -> tensor<1x3x26x32xbf16>
    %29 = tensor.empty() : tensor<1x3x26x16xbf16>
    %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %arg4 : tensor<1x3x26x16xbf16>, tensor<1x1x26x1xbf16>) outs(%29 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %62 = arith.mulf %in, %in_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26x16xbf16>
    %31 = tensor.empty() : tensor<1x3x26x16xbf16>
    %32 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24, %arg5 : tensor<1x3x26x16xbf16>, tensor<1x1x26x1xbf16>) outs(%31 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %62 = arith.mulf %in, %in_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26x16xbf16>
    %concat_14 = tensor.concat dim(3) %30, %32 : (tensor<1x3x26x16xbf16>, tensor<1x3x26x16xbf16>) -> tensor<1x3x26x32xbf16>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %33 = tensor.empty() : tensor<1x3x32x16xf32>
    %34 = linalg.fill ins(%cst_15 : f32) outs(%33 : tensor<1x3x32x16xf32>) -> tensor<1x3x32x16xf32>
    %35 = linalg.generic {indexing_maps = [#map3, #map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%concat_14, %transposed_13 : tensor<1x3x26x32xbf16>, tensor<1x3x26x16xbf16>) outs(%34 : tensor<1x3x32x16xf32>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: f32):
      %62 = arith.extf %in : bf16 to f32
      %63 = arith.extf %in_30 : bf16 to f32
      %64 = arith.mulf %62, %63 : f32
      %65 = arith.addf %64, %out : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x32x16xf32>
    %36 = tensor.empty() : tensor<1x3x32x16xbf16>
    %37 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35 : tensor<1x3x32x16xf32>) outs(%36 : tensor<1x3x32x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x32x16xbf16>
    %cst_16 = arith.constant 0.000000e+00 : bf16
    %38 = tensor.empty() : tensor<1x3x1x32xbf16>
    %39 = linalg.fill ins(%cst_16 : bf16) outs(%38 : tensor<1x3x1x32xbf16>) -> tensor<1x3x1x32xbf16>
    %40 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction", "parallel"]} ins(%concat_14 : tensor<1x3x26x32xbf16>) outs(%39 : tensor<1x3x1x32xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %62 = arith.addf %in, %out : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x1x32xbf16>
    %collapsed_17 = tensor.collapse_shape %40 [[0], [1], [2, 3]] : tensor<1x3x1x32xbf16> into tensor<1x3x32xbf16>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %41 = tensor.empty() : tensor<1x3x26xf32>
    %42 = linalg.fill ins(%cst_18 : f32) outs(%41 : tensor<1x3x26xf32>) -> tensor<1x3x26xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat, %collapsed_17 : tensor<1x3x26x32xbf16>, tensor<1x3x32xbf16>) outs(%42 : tensor<1x3x26xf32>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: f32):
      %62 = arith.extf %in : bf16 to f32
      %63 = arith.extf %in_30 : bf16 to f32
      %64 = arith.mulf %62, %63 : f32
      %65 = arith.addf %64, %out : f32
      linalg.yield %65 : f32
    } -> tensor<1x3x26xf32>
    %44 = tensor.empty() : tensor<1x3x26xbf16>
    %45 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%43 : tensor<1x3x26xf32>) outs(%44 : tensor<1x3x26xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26xbf16>
    %collapsed_19 = tensor.collapse_shape %concat [[0, 1], [2], [3]] : tensor<1x3x26x32xbf16> into tensor<3x26x32xbf16>
    %collapsed_20 = tensor.collapse_shape %37 [[0, 1], [2], [3]] : tensor<1x3x32x16xbf16> into tensor<3x32x16xbf16>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %46 = tensor.empty() : tensor<3x26x16xf32>
    %47 = linalg.fill ins(%cst_21 : f32) outs(%46 : tensor<3x26x16xf32>) -> tensor<3x26x16xf32>
    %48 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<3x26x32xbf16>, tensor<3x32x16xbf16>) outs(%47 : tensor<3x26x16xf32>) -> tensor<3x26x16xf32>
    %49 = tensor.empty() : tensor<3x26x16xbf16>
    %50 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%48 : tensor<3x26x16xf32>) outs(%49 : tensor<3x26x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<3x26x16xbf16>
    %expanded_22 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 3, 26, 16] : tensor<3x26x16xbf16> into tensor<1x3x26x16xbf16>
    %51 = tensor.empty() : tensor<1x3x26xbf16>
    %52 = linalg.generic {indexing_maps = [#map9, #map9], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45 : tensor<1x3x26xbf16>) outs(%51 : tensor<1x3x26xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_30 = arith.constant 9.983770e-07 : bf16
      %62 = arith.addf %in, %cst_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26xbf16>
    %expanded_23 = tensor.expand_shape %52 [[0], [1], [2, 3]] output_shape [1, 3, 26, 1] : tensor<1x3x26xbf16> into tensor<1x3x26x1xbf16>
    %53 = tensor.empty() : tensor<1x3x26x16xbf16>
    %54 = linalg.generic {indexing_maps = [#map1, #map10, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22, %expanded_23 : tensor<1x3x26x16xbf16>, tensor<1x3x26x1xbf16>) outs(%53 : tensor<1x3x26x16xbf16>) {
    ^bb0(%in: bf16, %in_30: bf16, %out: bf16):
      %62 = arith.divf %in, %in_30 : bf16
      linalg.yield %62 : bf16
    } -> tensor<1x3x26x16xbf16>
    %55 = tensor.empty() : tensor<1x26x3x16xbf16>
    %transposed_24 = linalg.transpose ins(%54 : tensor<1x3x26x16xbf16>) outs(%55 : tensor<1x26x3x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0], [1], [2, 3]] : tensor<1x26x3x16xbf16> into tensor<1x26x48xbf16>
    %56 = tensor.empty() : tensor<48x48xbf16>
    %transposed_26 = linalg.transpose ins(%arg6 : tensor<48x48xbf16>) outs(%56 : tensor<48x48xbf16>) permutation = [1, 0] 
    %collapsed_27 = tensor.collapse_shape %collapsed_25 [[0, 1], [2]] : tensor<1x26x48xbf16> into tensor<26x48xbf16>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %57 = tensor.empty() : tensor<26x48xf32>
    %58 = linalg.fill ins(%cst_28 : f32) outs(%57 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %59 = linalg.matmul ins(%collapsed_27, %transposed_26 : tensor<26x48xbf16>, tensor<48x48xbf16>) outs(%58 : tensor<26x48xf32>) -> tensor<26x48xf32>
    %60 = tensor.empty() : tensor<26x48xbf16>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%59 : tensor<26x48xf32>) outs(%60 : tensor<26x48xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %62 = arith.truncf %in : f32 to bf16
      linalg.yield %62 : bf16
    } -> tensor<26x48xbf16>
    %expanded_29 = tensor.expand_shape %61 [[0, 1], [2]] output_shape [1, 26, 48] : tensor<26x48xbf16> into tensor<1x26x48xbf16>
    return %expanded_29 : tensor<1x26x48xbf16>
  }
}

