// One token with rotary embeddings, as torch writes them, in front of a cache that is returned. Its heads are reshaped twice behind the projection
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (0, 0, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, d3)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
module {
  func.func @main(%arg0: tensor<1x1x32xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<1x4xf32>, %arg3: tensor<32xf32>, %arg4: tensor<32x32xf32>, %arg5: tensor<16x32xf32>, %arg6: tensor<16x32xf32>, %arg7: tensor<1x2x40x8xf32>, %arg8: tensor<1x2x40x8xf32>, %arg9: tensor<32x32xf32>) -> (tensor<1x1x32xf32>, tensor<1x2x41x8xf32>, tensor<1x2x41x8xf32>) {
    %0 = tensor.empty() : tensor<1x1x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x1x32xf32>, tensor<1x1x32xf32>) outs(%0 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x32xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<1x1x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x1x32xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %5 = tensor.empty() : tensor<1x1x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x1x1xf32>) outs(%5 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 3.200000e+01 : f32
      %80 = arith.divf %in, %cst_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %7 = tensor.empty() : tensor<1x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x1x1xf32>) outs(%7 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 9.99999974E-6 : f32
      %80 = arith.addf %in, %cst_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %9 = tensor.empty() : tensor<1x1x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x1x1xf32>) outs(%9 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.rsqrt %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x1xf32>
    %11 = tensor.empty() : tensor<1x1x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %10 : tensor<1x1x32xf32>, tensor<1x1x1xf32>) outs(%11 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x32xf32>
    %13 = tensor.empty() : tensor<1x1x32xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12, %arg3 : tensor<1x1x32xf32>, tensor<32xf32>) outs(%13 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x32xf32>
    %15 = tensor.empty() : tensor<32x32xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<32x32xf32>) outs(%15 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %14 [[0], [1, 2]] : tensor<1x1x32xf32> into tensor<1x32xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<1x32xf32>
    %17 = linalg.fill ins(%cst_0 : f32) outs(%16 : tensor<1x32xf32>) -> tensor<1x32xf32>
    %18 = linalg.matmul ins(%collapsed, %transposed : tensor<1x32xf32>, tensor<32x32xf32>) outs(%17 : tensor<1x32xf32>) -> tensor<1x32xf32>
    %expanded = tensor.expand_shape %18 [[0], [1, 2]] output_shape [1, 1, 32] : tensor<1x32xf32> into tensor<1x1x32xf32>
    %expanded_1 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 1, 4, 8] : tensor<1x1x32xf32> into tensor<1x1x4x8xf32>
    %19 = tensor.empty() : tensor<32x16xf32>
    %transposed_2 = linalg.transpose ins(%arg5 : tensor<16x32xf32>) outs(%19 : tensor<32x16xf32>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %14 [[0], [1, 2]] : tensor<1x1x32xf32> into tensor<1x32xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %20 = tensor.empty() : tensor<1x16xf32>
    %21 = linalg.fill ins(%cst_4 : f32) outs(%20 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %22 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%21 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded_5 = tensor.expand_shape %22 [[0], [1, 2]] output_shape [1, 1, 16] : tensor<1x16xf32> into tensor<1x1x16xf32>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
    %23 = tensor.empty() : tensor<32x16xf32>
    %transposed_7 = linalg.transpose ins(%arg6 : tensor<16x32xf32>) outs(%23 : tensor<32x16xf32>) permutation = [1, 0] 
    %collapsed_8 = tensor.collapse_shape %14 [[0], [1, 2]] : tensor<1x1x32xf32> into tensor<1x32xf32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<1x16xf32>
    %25 = linalg.fill ins(%cst_9 : f32) outs(%24 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %26 = linalg.matmul ins(%collapsed_8, %transposed_7 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%25 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %expanded_10 = tensor.expand_shape %26 [[0], [1, 2]] output_shape [1, 1, 16] : tensor<1x16xf32> into tensor<1x1x16xf32>
    %expanded_11 = tensor.expand_shape %expanded_10 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
    %expanded_12 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %expanded_13 = tensor.expand_shape %arg2 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %concat = tensor.concat dim(3) %expanded_12, %expanded_12 : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x8xf32>
    %concat_14 = tensor.concat dim(3) %expanded_13, %expanded_13 : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x8xf32>
    %27 = tensor.empty() : tensor<1x1x4x8xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_1, %concat : tensor<1x1x4x8xf32>, tensor<1x1x1x8xf32>) outs(%27 : tensor<1x1x4x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x4x8xf32>
    %extracted_slice = tensor.extract_slice %expanded_1[0, 0, 0, 4] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x8xf32> to tensor<1x1x4x4xf32>
    %29 = tensor.empty() : tensor<1x1x4x4xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice : tensor<1x1x4x4xf32>) outs(%29 : tensor<1x1x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.negf %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x4x4xf32>
    %extracted_slice_15 = tensor.extract_slice %expanded_1[0, 0, 0, 0] [1, 1, 4, 4] [1, 1, 1, 1] : tensor<1x1x4x8xf32> to tensor<1x1x4x4xf32>
    %concat_16 = tensor.concat dim(3) %30, %extracted_slice_15 : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x8xf32>
    %31 = tensor.empty() : tensor<1x1x4x8xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_16, %concat_14 : tensor<1x1x4x8xf32>, tensor<1x1x1x8xf32>) outs(%31 : tensor<1x1x4x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x4x8xf32>
    %33 = tensor.empty() : tensor<1x1x4x8xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %32 : tensor<1x1x4x8xf32>, tensor<1x1x4x8xf32>) outs(%33 : tensor<1x1x4x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.addf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x4x8xf32>
    %expanded_17 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %expanded_18 = tensor.expand_shape %arg2 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %concat_19 = tensor.concat dim(3) %expanded_17, %expanded_17 : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x8xf32>
    %concat_20 = tensor.concat dim(3) %expanded_18, %expanded_18 : (tensor<1x1x1x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x1x1x8xf32>
    %35 = tensor.empty() : tensor<1x1x2x8xf32>
    %36 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_6, %concat_19 : tensor<1x1x2x8xf32>, tensor<1x1x1x8xf32>) outs(%35 : tensor<1x1x2x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x2x8xf32>
    %extracted_slice_21 = tensor.extract_slice %expanded_6[0, 0, 0, 4] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %37 = tensor.empty() : tensor<1x1x2x4xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_21 : tensor<1x1x2x4xf32>) outs(%37 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.negf %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x2x4xf32>
    %extracted_slice_22 = tensor.extract_slice %expanded_6[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %concat_23 = tensor.concat dim(3) %38, %extracted_slice_22 : (tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) -> tensor<1x1x2x8xf32>
    %39 = tensor.empty() : tensor<1x1x2x8xf32>
    %40 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_23, %concat_20 : tensor<1x1x2x8xf32>, tensor<1x1x1x8xf32>) outs(%39 : tensor<1x1x2x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.mulf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x2x8xf32>
    %41 = tensor.empty() : tensor<1x1x2x8xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>) outs(%41 : tensor<1x1x2x8xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.addf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x2x8xf32>
    %43 = tensor.empty() : tensor<1x2x1x8xf32>
    %transposed_24 = linalg.transpose ins(%42 : tensor<1x1x2x8xf32>) outs(%43 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %44 = tensor.empty() : tensor<1x2x1x8xf32>
    %transposed_25 = linalg.transpose ins(%expanded_11 : tensor<1x1x2x8xf32>) outs(%44 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %concat_26 = tensor.concat dim(2) %arg7, %transposed_24 : (tensor<1x2x40x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x41x8xf32>
    %concat_27 = tensor.concat dim(2) %arg8, %transposed_25 : (tensor<1x2x40x8xf32>, tensor<1x2x1x8xf32>) -> tensor<1x2x41x8xf32>
    %45 = tensor.empty() : tensor<1x4x1x8xf32>
    %transposed_28 = linalg.transpose ins(%34 : tensor<1x1x4x8xf32>) outs(%45 : tensor<1x4x1x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_29 = tensor.expand_shape %concat_26 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 41, 8] : tensor<1x2x41x8xf32> into tensor<1x2x1x41x8xf32>
    %46 = tensor.empty() : tensor<1x2x2x41x8xf32>
    %47 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<1x2x1x41x8xf32>) outs(%46 : tensor<1x2x2x41x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x41x8xf32>
    %collapsed_30 = tensor.collapse_shape %47 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x8xf32> into tensor<1x4x41x8xf32>
    %expanded_31 = tensor.expand_shape %concat_27 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 41, 8] : tensor<1x2x41x8xf32> into tensor<1x2x1x41x8xf32>
    %48 = tensor.empty() : tensor<1x2x2x41x8xf32>
    %49 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_31 : tensor<1x2x1x41x8xf32>) outs(%48 : tensor<1x2x2x41x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x41x8xf32>
    %collapsed_32 = tensor.collapse_shape %49 [[0], [1, 2], [3], [4]] : tensor<1x2x2x41x8xf32> into tensor<1x4x41x8xf32>
    %50 = tensor.empty() : tensor<1x4x8x41xf32>
    %transposed_33 = linalg.transpose ins(%collapsed_30 : tensor<1x4x41x8xf32>) outs(%50 : tensor<1x4x8x41xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_34 = tensor.collapse_shape %transposed_28 [[0, 1], [2], [3]] : tensor<1x4x1x8xf32> into tensor<4x1x8xf32>
    %collapsed_35 = tensor.collapse_shape %transposed_33 [[0, 1], [2], [3]] : tensor<1x4x8x41xf32> into tensor<4x8x41xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %51 = tensor.empty() : tensor<4x1x41xf32>
    %52 = linalg.fill ins(%cst_36 : f32) outs(%51 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %53 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<4x1x8xf32>, tensor<4x8x41xf32>) outs(%52 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %expanded_37 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [1, 4, 1, 41] : tensor<4x1x41xf32> into tensor<1x4x1x41xf32>
    %54 = tensor.empty() : tensor<1x4x1x41xf32>
    %55 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<1x4x1x41xf32>) outs(%54 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 0.353553385 : f32
      %80 = arith.mulf %in, %cst_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x41xf32>
    %cst_38 = arith.constant 0xFF800000 : f32
    %56 = tensor.empty() : tensor<1x4x1x1xf32>
    %57 = linalg.fill ins(%cst_38 : f32) outs(%56 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %c0_i64 = arith.constant 0 : i64
    %58 = tensor.empty() : tensor<1x4x1x1xi64>
    %59 = linalg.fill ins(%c0_i64 : i64) outs(%58 : tensor<1x4x1x1xi64>) -> tensor<1x4x1x1xi64>
    %60:2 = linalg.generic {indexing_maps = [#map4, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%55 : tensor<1x4x1x41xf32>) outs(%57, %59 : tensor<1x4x1x1xf32>, tensor<1x4x1x1xi64>) {
    ^bb0(%in: f32, %out: f32, %out_50: i64):
      %80 = linalg.index 3 : index
      %81 = arith.index_cast %80 : index to i64
      %82 = arith.maximumf %in, %out : f32
      %83 = arith.cmpf ogt, %in, %out : f32
      %84 = arith.select %83, %81, %out_50 : i64
      linalg.yield %82, %84 : f32, i64
    } -> (tensor<1x4x1x1xf32>, tensor<1x4x1x1xi64>)
    %61 = tensor.empty() : tensor<1x4x1x41xf32>
    %62 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %60#0 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%61 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.subf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x41xf32>
    %63 = tensor.empty() : tensor<1x4x1x41xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<1x4x1x41xf32>) outs(%63 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = math.exp %in : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x41xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %65 = tensor.empty() : tensor<1x4x1x1xf32>
    %66 = linalg.fill ins(%cst_39 : f32) outs(%65 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%64 : tensor<1x4x1x41xf32>) outs(%66 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %80 = arith.addf %in, %out : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x1xf32>
    %68 = tensor.empty() : tensor<1x4x1x41xf32>
    %69 = linalg.generic {indexing_maps = [#map4, #map9, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64, %67 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%68 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.divf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x4x1x41xf32>
    %collapsed_40 = tensor.collapse_shape %69 [[0, 1], [2], [3]] : tensor<1x4x1x41xf32> into tensor<4x1x41xf32>
    %collapsed_41 = tensor.collapse_shape %collapsed_32 [[0, 1], [2], [3]] : tensor<1x4x41x8xf32> into tensor<4x41x8xf32>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %70 = tensor.empty() : tensor<4x1x8xf32>
    %71 = linalg.fill ins(%cst_42 : f32) outs(%70 : tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
    %72 = linalg.batch_matmul ins(%collapsed_40, %collapsed_41 : tensor<4x1x41xf32>, tensor<4x41x8xf32>) outs(%71 : tensor<4x1x8xf32>) -> tensor<4x1x8xf32>
    %expanded_43 = tensor.expand_shape %72 [[0, 1], [2], [3]] output_shape [1, 4, 1, 8] : tensor<4x1x8xf32> into tensor<1x4x1x8xf32>
    %73 = tensor.empty() : tensor<1x1x4x8xf32>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<1x4x1x8xf32>) outs(%73 : tensor<1x1x4x8xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_45 = tensor.collapse_shape %transposed_44 [[0], [1], [2, 3]] : tensor<1x1x4x8xf32> into tensor<1x1x32xf32>
    %74 = tensor.empty() : tensor<32x32xf32>
    %transposed_46 = linalg.transpose ins(%arg9 : tensor<32x32xf32>) outs(%74 : tensor<32x32xf32>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %collapsed_45 [[0], [1, 2]] : tensor<1x1x32xf32> into tensor<1x32xf32>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %75 = tensor.empty() : tensor<1x32xf32>
    %76 = linalg.fill ins(%cst_48 : f32) outs(%75 : tensor<1x32xf32>) -> tensor<1x32xf32>
    %77 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<1x32xf32>, tensor<32x32xf32>) outs(%76 : tensor<1x32xf32>) -> tensor<1x32xf32>
    %expanded_49 = tensor.expand_shape %77 [[0], [1, 2]] output_shape [1, 1, 32] : tensor<1x32xf32> into tensor<1x1x32xf32>
    %78 = tensor.empty() : tensor<1x1x32xf32>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_49 : tensor<1x1x32xf32>, tensor<1x1x32xf32>) outs(%78 : tensor<1x1x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %80 = arith.addf %in, %in_50 : f32
      linalg.yield %80 : f32
    } -> tensor<1x1x32xf32>
    return %79, %concat_26, %concat_27 : tensor<1x1x32xf32>, tensor<1x2x41x8xf32>, tensor<1x2x41x8xf32>
  }
}

