// Caches of sequences at positions of their own, which conditions on these write over: a kernel does that, by numbers that the host computes before.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map4 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
module {
  func.func @main(%arg0: tensor<3x1x128xf32>, %arg1: tensor<3x2x64x32xf32>, %arg2: tensor<3x2x64x32xf32>, %arg3: tensor<3xi64>, %arg4: tensor<128x128xf32>, %arg5: tensor<64x128xf32>, %arg6: tensor<64x128xf32>, %arg7: tensor<128x128xf32>) -> (tensor<3x1x128xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>) {
    %0 = tensor.empty() : tensor<128x128xf32>
    %transposed = linalg.transpose ins(%arg4 : tensor<128x128xf32>) outs(%0 : tensor<128x128xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x1x128xf32> into tensor<3x128xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<3x128xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x128xf32>) -> tensor<3x128xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<3x128xf32>, tensor<128x128xf32>) outs(%2 : tensor<3x128xf32>) -> tensor<3x128xf32>
    %expanded = tensor.expand_shape %3 [[0], [1, 2]] output_shape [3, 1, 128] : tensor<3x128xf32> into tensor<3x1x128xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [3, 1, 4, 32] : tensor<3x1x128xf32> into tensor<3x1x4x32xf32>
    %4 = tensor.empty() : tensor<3x4x1x32xf32>
    %transposed_1 = linalg.transpose ins(%expanded_0 : tensor<3x1x4x32xf32>) outs(%4 : tensor<3x4x1x32xf32>) permutation = [0, 2, 1, 3] 
    %5 = tensor.empty() : tensor<128x64xf32>
    %transposed_2 = linalg.transpose ins(%arg5 : tensor<64x128xf32>) outs(%5 : tensor<128x64xf32>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x1x128xf32> into tensor<3x128xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %6 = tensor.empty() : tensor<3x64xf32>
    %7 = linalg.fill ins(%cst_4 : f32) outs(%6 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %8 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<3x128xf32>, tensor<128x64xf32>) outs(%7 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %expanded_5 = tensor.expand_shape %8 [[0], [1, 2]] output_shape [3, 1, 64] : tensor<3x64xf32> into tensor<3x1x64xf32>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [3, 1, 2, 32] : tensor<3x1x64xf32> into tensor<3x1x2x32xf32>
    %9 = tensor.empty() : tensor<3x2x1x32xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<3x1x2x32xf32>) outs(%9 : tensor<3x2x1x32xf32>) permutation = [0, 2, 1, 3] 
    %10 = tensor.empty() : tensor<128x64xf32>
    %transposed_8 = linalg.transpose ins(%arg6 : tensor<64x128xf32>) outs(%10 : tensor<128x64xf32>) permutation = [1, 0] 
    %collapsed_9 = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x1x128xf32> into tensor<3x128xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<3x64xf32>
    %12 = linalg.fill ins(%cst_10 : f32) outs(%11 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %13 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<3x128xf32>, tensor<128x64xf32>) outs(%12 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %expanded_11 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [3, 1, 64] : tensor<3x64xf32> into tensor<3x1x64xf32>
    %expanded_12 = tensor.expand_shape %expanded_11 [[0], [1], [2, 3]] output_shape [3, 1, 2, 32] : tensor<3x1x64xf32> into tensor<3x1x2x32xf32>
    %14 = tensor.empty() : tensor<3x2x1x32xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<3x1x2x32xf32>) outs(%14 : tensor<3x2x1x32xf32>) permutation = [0, 2, 1, 3] 
    %expanded_14 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [3, 1, 1, 1] : tensor<3xi64> into tensor<3x1x1x1xi64>
    %15 = tensor.empty() : tensor<3x2x64x32xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14, %arg1, %transposed_7 : tensor<3x1x1x1xi64>, tensor<3x2x64x32xf32>, tensor<3x2x1x32xf32>) outs(%15 : tensor<3x2x64x32xf32>) {
    ^bb0(%in: i64, %in_46: f32, %in_47: f32, %out: f32):
      %54 = linalg.index 0 : index
      %55 = linalg.index 1 : index
      %56 = linalg.index 2 : index
      %57 = linalg.index 3 : index
      %58 = arith.index_cast %56 : index to i64
      %59 = arith.cmpi eq, %58, %in : i64
      %60 = arith.select %59, %in_47, %in_46 : f32
      linalg.yield %60 : f32
    } -> tensor<3x2x64x32xf32>
    %expanded_15 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [3, 1, 1, 1] : tensor<3xi64> into tensor<3x1x1x1xi64>
    %17 = tensor.empty() : tensor<3x2x64x32xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_15, %arg2, %transposed_13 : tensor<3x1x1x1xi64>, tensor<3x2x64x32xf32>, tensor<3x2x1x32xf32>) outs(%17 : tensor<3x2x64x32xf32>) {
    ^bb0(%in: i64, %in_46: f32, %in_47: f32, %out: f32):
      %54 = linalg.index 0 : index
      %55 = linalg.index 1 : index
      %56 = linalg.index 2 : index
      %57 = linalg.index 3 : index
      %58 = arith.index_cast %56 : index to i64
      %59 = arith.cmpi eq, %58, %in : i64
      %60 = arith.select %59, %in_47, %in_46 : f32
      linalg.yield %60 : f32
    } -> tensor<3x2x64x32xf32>
    %expanded_16 = tensor.expand_shape %arg3 [[0, 1, 2, 3]] output_shape [3, 1, 1, 1] : tensor<3xi64> into tensor<3x1x1x1xi64>
    %19 = tensor.empty() : tensor<3x1x1x64xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_16 : tensor<3x1x1x1xi64>) outs(%19 : tensor<3x1x1x64xf32>) {
    ^bb0(%in: i64, %out: f32):
      %54 = linalg.index 0 : index
      %55 = linalg.index 1 : index
      %56 = linalg.index 2 : index
      %57 = linalg.index 3 : index
      %58 = arith.index_cast %57 : index to i64
      %59 = arith.cmpi sle, %58, %in : i64
      %cst_46 = arith.constant 0.000000e+00 : f32
      %cst_47 = arith.constant 0xFF800000 : f32
      %60 = arith.select %59, %cst_46, %cst_47 : f32
      linalg.yield %60 : f32
    } -> tensor<3x1x1x64xf32>
    %expanded_17 = tensor.expand_shape %16 [[0], [1], [2, 3], [4]] output_shape [3, 2, 1, 64, 32] : tensor<3x2x64x32xf32> into tensor<3x2x1x64x32xf32>
    %21 = tensor.empty() : tensor<3x2x2x64x32xf32>
    %22 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_17 : tensor<3x2x1x64x32xf32>) outs(%21 : tensor<3x2x2x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x64x32xf32>
    %collapsed_18 = tensor.collapse_shape %22 [[0], [1, 2], [3], [4]] : tensor<3x2x2x64x32xf32> into tensor<3x4x64x32xf32>
    %expanded_19 = tensor.expand_shape %18 [[0], [1], [2, 3], [4]] output_shape [3, 2, 1, 64, 32] : tensor<3x2x64x32xf32> into tensor<3x2x1x64x32xf32>
    %23 = tensor.empty() : tensor<3x2x2x64x32xf32>
    %24 = linalg.generic {indexing_maps = [#map4, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<3x2x1x64x32xf32>) outs(%23 : tensor<3x2x2x64x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x2x2x64x32xf32>
    %collapsed_20 = tensor.collapse_shape %24 [[0], [1, 2], [3], [4]] : tensor<3x2x2x64x32xf32> into tensor<3x4x64x32xf32>
    %25 = tensor.empty() : tensor<3x4x32x64xf32>
    %transposed_21 = linalg.transpose ins(%collapsed_18 : tensor<3x4x64x32xf32>) outs(%25 : tensor<3x4x32x64xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_22 = tensor.collapse_shape %transposed_1 [[0, 1], [2], [3]] : tensor<3x4x1x32xf32> into tensor<12x1x32xf32>
    %collapsed_23 = tensor.collapse_shape %transposed_21 [[0, 1], [2], [3]] : tensor<3x4x32x64xf32> into tensor<12x32x64xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<12x1x64xf32>
    %27 = linalg.fill ins(%cst_24 : f32) outs(%26 : tensor<12x1x64xf32>) -> tensor<12x1x64xf32>
    %28 = linalg.batch_matmul ins(%collapsed_22, %collapsed_23 : tensor<12x1x32xf32>, tensor<12x32x64xf32>) outs(%27 : tensor<12x1x64xf32>) -> tensor<12x1x64xf32>
    %expanded_25 = tensor.expand_shape %28 [[0, 1], [2], [3]] output_shape [3, 4, 1, 64] : tensor<12x1x64xf32> into tensor<3x4x1x64xf32>
    %29 = tensor.empty() : tensor<3x4x1x64xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<3x4x1x64xf32>) outs(%29 : tensor<3x4x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_46 = arith.constant 0.176776692 : f32
      %54 = arith.mulf %in, %cst_46 : f32
      linalg.yield %54 : f32
    } -> tensor<3x4x1x64xf32>
    %collapsed_26 = tensor.collapse_shape %20 [[0], [1], [2, 3]] : tensor<3x1x1x64xf32> into tensor<3x1x64xf32>
    %31 = tensor.empty() : tensor<3x4x1x64xf32>
    %broadcasted = linalg.broadcast ins(%collapsed_26 : tensor<3x1x64xf32>) outs(%31 : tensor<3x4x1x64xf32>) dimensions = [1] 
    %32 = tensor.empty() : tensor<3x4x1x64xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %broadcasted : tensor<3x4x1x64xf32>, tensor<3x4x1x64xf32>) outs(%32 : tensor<3x4x1x64xf32>) {
    ^bb0(%in: f32, %in_46: f32, %out: f32):
      %54 = arith.addf %in, %in_46 : f32
      linalg.yield %54 : f32
    } -> tensor<3x4x1x64xf32>
    %cst_27 = arith.constant 0xFF800000 : f32
    %34 = tensor.empty() : tensor<3x4x1xf32>
    %35 = linalg.fill ins(%cst_27 : f32) outs(%34 : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
    %reduced = linalg.reduce { arith.maximumf } ins(%33 : tensor<3x4x1x64xf32>) outs(%35 : tensor<3x4x1xf32>) dimensions = [3] 
    %expanded_28 = tensor.expand_shape %reduced [[0], [1], [2, 3]] output_shape [3, 4, 1, 1] : tensor<3x4x1xf32> into tensor<3x4x1x1xf32>
    %collapsed_29 = tensor.collapse_shape %expanded_28 [[0], [1], [2, 3]] : tensor<3x4x1x1xf32> into tensor<3x4x1xf32>
    %36 = tensor.empty() : tensor<3x4x1x64xf32>
    %broadcasted_30 = linalg.broadcast ins(%collapsed_29 : tensor<3x4x1xf32>) outs(%36 : tensor<3x4x1x64xf32>) dimensions = [3] 
    %37 = tensor.empty() : tensor<3x4x1x64xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %broadcasted_30 : tensor<3x4x1x64xf32>, tensor<3x4x1x64xf32>) outs(%37 : tensor<3x4x1x64xf32>) {
    ^bb0(%in: f32, %in_46: f32, %out: f32):
      %54 = arith.subf %in, %in_46 : f32
      linalg.yield %54 : f32
    } -> tensor<3x4x1x64xf32>
    %39 = tensor.empty() : tensor<3x4x1x64xf32>
    %40 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<3x4x1x64xf32>) outs(%39 : tensor<3x4x1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.exp %in : f32
      linalg.yield %54 : f32
    } -> tensor<3x4x1x64xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %41 = tensor.empty() : tensor<3x4x1xf32>
    %42 = linalg.fill ins(%cst_31 : f32) outs(%41 : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
    %reduced_32 = linalg.reduce { arith.addf } ins(%40 : tensor<3x4x1x64xf32>) outs(%42 : tensor<3x4x1xf32>) dimensions = [3] 
    %expanded_33 = tensor.expand_shape %reduced_32 [[0], [1], [2, 3]] output_shape [3, 4, 1, 1] : tensor<3x4x1xf32> into tensor<3x4x1x1xf32>
    %collapsed_34 = tensor.collapse_shape %expanded_33 [[0], [1], [2, 3]] : tensor<3x4x1x1xf32> into tensor<3x4x1xf32>
    %43 = tensor.empty() : tensor<3x4x1x64xf32>
    %broadcasted_35 = linalg.broadcast ins(%collapsed_34 : tensor<3x4x1xf32>) outs(%43 : tensor<3x4x1x64xf32>) dimensions = [3] 
    %44 = tensor.empty() : tensor<3x4x1x64xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %broadcasted_35 : tensor<3x4x1x64xf32>, tensor<3x4x1x64xf32>) outs(%44 : tensor<3x4x1x64xf32>) {
    ^bb0(%in: f32, %in_46: f32, %out: f32):
      %54 = arith.divf %in, %in_46 : f32
      linalg.yield %54 : f32
    } -> tensor<3x4x1x64xf32>
    %collapsed_36 = tensor.collapse_shape %45 [[0, 1], [2], [3]] : tensor<3x4x1x64xf32> into tensor<12x1x64xf32>
    %collapsed_37 = tensor.collapse_shape %collapsed_20 [[0, 1], [2], [3]] : tensor<3x4x64x32xf32> into tensor<12x64x32xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %46 = tensor.empty() : tensor<12x1x32xf32>
    %47 = linalg.fill ins(%cst_38 : f32) outs(%46 : tensor<12x1x32xf32>) -> tensor<12x1x32xf32>
    %48 = linalg.batch_matmul ins(%collapsed_36, %collapsed_37 : tensor<12x1x64xf32>, tensor<12x64x32xf32>) outs(%47 : tensor<12x1x32xf32>) -> tensor<12x1x32xf32>
    %expanded_39 = tensor.expand_shape %48 [[0, 1], [2], [3]] output_shape [3, 4, 1, 32] : tensor<12x1x32xf32> into tensor<3x4x1x32xf32>
    %49 = tensor.empty() : tensor<3x1x4x32xf32>
    %transposed_40 = linalg.transpose ins(%expanded_39 : tensor<3x4x1x32xf32>) outs(%49 : tensor<3x1x4x32xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_41 = tensor.collapse_shape %transposed_40 [[0], [1], [2, 3]] : tensor<3x1x4x32xf32> into tensor<3x1x128xf32>
    %50 = tensor.empty() : tensor<128x128xf32>
    %transposed_42 = linalg.transpose ins(%arg7 : tensor<128x128xf32>) outs(%50 : tensor<128x128xf32>) permutation = [1, 0] 
    %collapsed_43 = tensor.collapse_shape %collapsed_41 [[0], [1, 2]] : tensor<3x1x128xf32> into tensor<3x128xf32>
    %cst_44 = arith.constant 0.000000e+00 : f32
    %51 = tensor.empty() : tensor<3x128xf32>
    %52 = linalg.fill ins(%cst_44 : f32) outs(%51 : tensor<3x128xf32>) -> tensor<3x128xf32>
    %53 = linalg.matmul ins(%collapsed_43, %transposed_42 : tensor<3x128xf32>, tensor<128x128xf32>) outs(%52 : tensor<3x128xf32>) -> tensor<3x128xf32>
    %expanded_45 = tensor.expand_shape %53 [[0], [1, 2]] output_shape [3, 1, 128] : tensor<3x128xf32> into tensor<3x1x128xf32>
    return %expanded_45, %16, %18 : tensor<3x1x128xf32>, tensor<3x2x64x32xf32>, tensor<3x2x64x32xf32>
  }
}

