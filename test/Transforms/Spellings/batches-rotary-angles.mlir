// The angles of a rotary embedding are a product of positions and frequencies, as torch has them: the host computes it with their sines and cosines, before all kernels.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x24x96xbf16>, %arg1: tensor<1x24xi64>, %arg2: tensor<16xf32>, %arg3: tensor<96x96xbf16>, %arg4: tensor<96x96xbf16>, %arg5: tensor<96x96xbf16>, %arg6: tensor<96x96xbf16>) -> tensor<1x24x96xbf16> {
    %0 = tensor.empty() : tensor<1x24xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<1x24xi64>) outs(%0 : tensor<1x24xf32>) {
    ^bb0(%in: i64, %out: f32):
      %90 = arith.sitofp %in : i64 to f32
      linalg.yield %90 : f32
    } -> tensor<1x24xf32>
    %expanded = tensor.expand_shape %1 [[0], [1, 2]] output_shape [1, 24, 1] : tensor<1x24xf32> into tensor<1x24x1xf32>
    %expanded_0 = tensor.expand_shape %arg2 [[0, 1]] output_shape [1, 16] : tensor<16xf32> into tensor<1x16xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<1x24x16xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x24x16xf32>) -> tensor<1x24x16xf32>
    %4 = linalg.generic {indexing_maps = [#map1, #map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded, %expanded_0 : tensor<1x24x1xf32>, tensor<1x16xf32>) outs(%3 : tensor<1x24x16xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %90 = arith.mulf %in, %in_42 : f32
      %91 = arith.addf %90, %out : f32
      linalg.yield %91 : f32
    } -> tensor<1x24x16xf32>
    %concat = tensor.concat dim(2) %4, %4 : (tensor<1x24x16xf32>, tensor<1x24x16xf32>) -> tensor<1x24x32xf32>
    %5 = tensor.empty() : tensor<1x24x32xf32>
    %6 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x24x32xf32>) outs(%5 : tensor<1x24x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.cos %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x24x32xf32>
    %7 = tensor.empty() : tensor<1x24x32xbf16>
    %8 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x24x32xf32>) outs(%7 : tensor<1x24x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<1x24x32xbf16>
    %9 = tensor.empty() : tensor<1x24x32xf32>
    %10 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%concat : tensor<1x24x32xf32>) outs(%9 : tensor<1x24x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.sin %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x24x32xf32>
    %11 = tensor.empty() : tensor<1x24x32xbf16>
    %12 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x24x32xf32>) outs(%11 : tensor<1x24x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<1x24x32xbf16>
    %expanded_1 = tensor.expand_shape %8 [[0], [1, 2], [3]] output_shape [1, 1, 24, 32] : tensor<1x24x32xbf16> into tensor<1x1x24x32xbf16>
    %expanded_2 = tensor.expand_shape %12 [[0], [1, 2], [3]] output_shape [1, 1, 24, 32] : tensor<1x24x32xbf16> into tensor<1x1x24x32xbf16>
    %13 = tensor.empty() : tensor<96x96xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<96x96xbf16>) outs(%13 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x24x96xbf16> into tensor<24x96xbf16>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %14 = tensor.empty() : tensor<24x96xf32>
    %15 = linalg.fill ins(%cst_3 : f32) outs(%14 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %16 = linalg.matmul ins(%collapsed, %transposed : tensor<24x96xbf16>, tensor<96x96xbf16>) outs(%15 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %17 = tensor.empty() : tensor<24x96xbf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<24x96xf32>) outs(%17 : tensor<24x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<24x96xbf16>
    %expanded_4 = tensor.expand_shape %18 [[0, 1], [2]] output_shape [1, 24, 96] : tensor<24x96xbf16> into tensor<1x24x96xbf16>
    %expanded_5 = tensor.expand_shape %expanded_4 [[0], [1], [2, 3]] output_shape [1, 24, 3, 32] : tensor<1x24x96xbf16> into tensor<1x24x3x32xbf16>
    %19 = tensor.empty() : tensor<1x3x24x32xbf16>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<1x24x3x32xbf16>) outs(%19 : tensor<1x3x24x32xbf16>) permutation = [0, 2, 1, 3] 
    %20 = tensor.empty() : tensor<96x96xbf16>
    %transposed_7 = linalg.transpose ins(%arg4 : tensor<96x96xbf16>) outs(%20 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_8 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x24x96xbf16> into tensor<24x96xbf16>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %21 = tensor.empty() : tensor<24x96xf32>
    %22 = linalg.fill ins(%cst_9 : f32) outs(%21 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %23 = linalg.matmul ins(%collapsed_8, %transposed_7 : tensor<24x96xbf16>, tensor<96x96xbf16>) outs(%22 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %24 = tensor.empty() : tensor<24x96xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%23 : tensor<24x96xf32>) outs(%24 : tensor<24x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<24x96xbf16>
    %expanded_10 = tensor.expand_shape %25 [[0, 1], [2]] output_shape [1, 24, 96] : tensor<24x96xbf16> into tensor<1x24x96xbf16>
    %expanded_11 = tensor.expand_shape %expanded_10 [[0], [1], [2, 3]] output_shape [1, 24, 3, 32] : tensor<1x24x96xbf16> into tensor<1x24x3x32xbf16>
    %26 = tensor.empty() : tensor<1x3x24x32xbf16>
    %transposed_12 = linalg.transpose ins(%expanded_11 : tensor<1x24x3x32xbf16>) outs(%26 : tensor<1x3x24x32xbf16>) permutation = [0, 2, 1, 3] 
    %27 = tensor.empty() : tensor<96x96xbf16>
    %transposed_13 = linalg.transpose ins(%arg5 : tensor<96x96xbf16>) outs(%27 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_14 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x24x96xbf16> into tensor<24x96xbf16>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %28 = tensor.empty() : tensor<24x96xf32>
    %29 = linalg.fill ins(%cst_15 : f32) outs(%28 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %30 = linalg.matmul ins(%collapsed_14, %transposed_13 : tensor<24x96xbf16>, tensor<96x96xbf16>) outs(%29 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %31 = tensor.empty() : tensor<24x96xbf16>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<24x96xf32>) outs(%31 : tensor<24x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<24x96xbf16>
    %expanded_16 = tensor.expand_shape %32 [[0, 1], [2]] output_shape [1, 24, 96] : tensor<24x96xbf16> into tensor<1x24x96xbf16>
    %expanded_17 = tensor.expand_shape %expanded_16 [[0], [1], [2, 3]] output_shape [1, 24, 3, 32] : tensor<1x24x96xbf16> into tensor<1x24x3x32xbf16>
    %33 = tensor.empty() : tensor<1x3x24x32xbf16>
    %transposed_18 = linalg.transpose ins(%expanded_17 : tensor<1x24x3x32xbf16>) outs(%33 : tensor<1x3x24x32xbf16>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_6[0, 0, 0, 0] [1, 3, 24, 16] [1, 1, 1, 1] : tensor<1x3x24x32xbf16> to tensor<1x3x24x16xbf16>
    %extracted_slice_19 = tensor.extract_slice %transposed_6[0, 0, 0, 16] [1, 3, 24, 16] [1, 1, 1, 1] : tensor<1x3x24x32xbf16> to tensor<1x3x24x16xbf16>
    %34 = tensor.empty() : tensor<1x3x24x32xbf16>
    %35 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_6, %expanded_1 : tensor<1x3x24x32xbf16>, tensor<1x1x24x32xbf16>) outs(%34 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.mulf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %36 = tensor.empty() : tensor<1x3x24x16xbf16>
    %37 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_19 : tensor<1x3x24x16xbf16>) outs(%36 : tensor<1x3x24x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %90 = arith.negf %in : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x16xbf16>
    %concat_20 = tensor.concat dim(3) %37, %extracted_slice : (tensor<1x3x24x16xbf16>, tensor<1x3x24x16xbf16>) -> tensor<1x3x24x32xbf16>
    %38 = tensor.empty() : tensor<1x3x24x32xbf16>
    %39 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_20, %expanded_2 : tensor<1x3x24x32xbf16>, tensor<1x1x24x32xbf16>) outs(%38 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.mulf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %40 = tensor.empty() : tensor<1x3x24x32xbf16>
    %41 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x3x24x32xbf16>, tensor<1x3x24x32xbf16>) outs(%40 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.addf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %extracted_slice_21 = tensor.extract_slice %transposed_12[0, 0, 0, 0] [1, 3, 24, 16] [1, 1, 1, 1] : tensor<1x3x24x32xbf16> to tensor<1x3x24x16xbf16>
    %extracted_slice_22 = tensor.extract_slice %transposed_12[0, 0, 0, 16] [1, 3, 24, 16] [1, 1, 1, 1] : tensor<1x3x24x32xbf16> to tensor<1x3x24x16xbf16>
    %42 = tensor.empty() : tensor<1x3x24x32xbf16>
    %43 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%transposed_12, %expanded_1 : tensor<1x3x24x32xbf16>, tensor<1x1x24x32xbf16>) outs(%42 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.mulf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %44 = tensor.empty() : tensor<1x3x24x16xbf16>
    %45 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_22 : tensor<1x3x24x16xbf16>) outs(%44 : tensor<1x3x24x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %90 = arith.negf %in : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x16xbf16>
    %concat_23 = tensor.concat dim(3) %45, %extracted_slice_21 : (tensor<1x3x24x16xbf16>, tensor<1x3x24x16xbf16>) -> tensor<1x3x24x32xbf16>
    %46 = tensor.empty() : tensor<1x3x24x32xbf16>
    %47 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_23, %expanded_2 : tensor<1x3x24x32xbf16>, tensor<1x1x24x32xbf16>) outs(%46 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.mulf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %48 = tensor.empty() : tensor<1x3x24x32xbf16>
    %49 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %47 : tensor<1x3x24x32xbf16>, tensor<1x3x24x32xbf16>) outs(%48 : tensor<1x3x24x32xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.addf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x32xbf16>
    %50 = tensor.empty() : tensor<24x24xbf16>
    %51 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%50 : tensor<24x24xbf16>) {
    ^bb0(%out: bf16):
      %90 = linalg.index 0 : index
      %91 = linalg.index 1 : index
      %92 = arith.cmpi sge, %90, %91 : index
      %cst_42 = arith.constant 0.000000e+00 : bf16
      %cst_43 = arith.constant 0xFF80 : bf16
      %93 = arith.select %92, %cst_42, %cst_43 : bf16
      linalg.yield %93 : bf16
    } -> tensor<24x24xbf16>
    %expanded_24 = tensor.expand_shape %51 [[0, 1, 2], [3]] output_shape [1, 1, 24, 24] : tensor<24x24xbf16> into tensor<1x1x24x24xbf16>
    %52 = tensor.empty() : tensor<1x3x32x24xbf16>
    %transposed_25 = linalg.transpose ins(%49 : tensor<1x3x24x32xbf16>) outs(%52 : tensor<1x3x32x24xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_26 = tensor.collapse_shape %41 [[0, 1], [2], [3]] : tensor<1x3x24x32xbf16> into tensor<3x24x32xbf16>
    %collapsed_27 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x3x32x24xbf16> into tensor<3x32x24xbf16>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %53 = tensor.empty() : tensor<3x24x24xf32>
    %54 = linalg.fill ins(%cst_28 : f32) outs(%53 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %55 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<3x24x32xbf16>, tensor<3x32x24xbf16>) outs(%54 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %56 = tensor.empty() : tensor<3x24x24xbf16>
    %57 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55 : tensor<3x24x24xf32>) outs(%56 : tensor<3x24x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<3x24x24xbf16>
    %expanded_29 = tensor.expand_shape %57 [[0, 1], [2], [3]] output_shape [1, 3, 24, 24] : tensor<3x24x24xbf16> into tensor<1x3x24x24xbf16>
    %58 = tensor.empty() : tensor<1x3x24x24xbf16>
    %59 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<1x3x24x24xbf16>) outs(%58 : tensor<1x3x24x24xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_42 = arith.constant 1.767580e-01 : bf16
      %90 = arith.mulf %in, %cst_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x24xbf16>
    %60 = tensor.empty() : tensor<1x3x24x24xbf16>
    %61 = linalg.generic {indexing_maps = [#map5, #map6, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %expanded_24 : tensor<1x3x24x24xbf16>, tensor<1x1x24x24xbf16>) outs(%60 : tensor<1x3x24x24xbf16>) {
    ^bb0(%in: bf16, %in_42: bf16, %out: bf16):
      %90 = arith.addf %in, %in_42 : bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x24xbf16>
    %62 = tensor.empty() : tensor<1x3x24x24xf32>
    %63 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x3x24x24xbf16>) outs(%62 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %90 = arith.extf %in : bf16 to f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x24xf32>
    %cst_30 = arith.constant 0xFF800000 : f32
    %64 = tensor.empty() : tensor<1x3x24x1xf32>
    %65 = linalg.fill ins(%cst_30 : f32) outs(%64 : tensor<1x3x24x1xf32>) -> tensor<1x3x24x1xf32>
    %66 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x3x24x24xf32>) outs(%65 : tensor<1x3x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.maximumf %in, %out : f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x1xf32>
    %67 = tensor.empty() : tensor<1x3x24x24xf32>
    %68 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<1x3x24x24xf32>, tensor<1x3x24x1xf32>) outs(%67 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %90 = arith.subf %in, %in_42 : f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x24xf32>
    %69 = tensor.empty() : tensor<1x3x24x24xf32>
    %70 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68 : tensor<1x3x24x24xf32>) outs(%69 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = math.exp %in : f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x24xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %71 = tensor.empty() : tensor<1x3x24x1xf32>
    %72 = linalg.fill ins(%cst_31 : f32) outs(%71 : tensor<1x3x24x1xf32>) -> tensor<1x3x24x1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%70 : tensor<1x3x24x24xf32>) outs(%72 : tensor<1x3x24x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %90 = arith.addf %in, %out : f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x1xf32>
    %74 = tensor.empty() : tensor<1x3x24x24xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map7, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %73 : tensor<1x3x24x24xf32>, tensor<1x3x24x1xf32>) outs(%74 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %90 = arith.divf %in, %in_42 : f32
      linalg.yield %90 : f32
    } -> tensor<1x3x24x24xf32>
    %76 = tensor.empty() : tensor<1x3x24x24xbf16>
    %77 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x3x24x24xf32>) outs(%76 : tensor<1x3x24x24xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<1x3x24x24xbf16>
    %collapsed_32 = tensor.collapse_shape %77 [[0, 1], [2], [3]] : tensor<1x3x24x24xbf16> into tensor<3x24x24xbf16>
    %collapsed_33 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<1x3x24x32xbf16> into tensor<3x24x32xbf16>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %78 = tensor.empty() : tensor<3x24x32xf32>
    %79 = linalg.fill ins(%cst_34 : f32) outs(%78 : tensor<3x24x32xf32>) -> tensor<3x24x32xf32>
    %80 = linalg.batch_matmul ins(%collapsed_32, %collapsed_33 : tensor<3x24x24xbf16>, tensor<3x24x32xbf16>) outs(%79 : tensor<3x24x32xf32>) -> tensor<3x24x32xf32>
    %81 = tensor.empty() : tensor<3x24x32xbf16>
    %82 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<3x24x32xf32>) outs(%81 : tensor<3x24x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<3x24x32xbf16>
    %expanded_35 = tensor.expand_shape %82 [[0, 1], [2], [3]] output_shape [1, 3, 24, 32] : tensor<3x24x32xbf16> into tensor<1x3x24x32xbf16>
    %83 = tensor.empty() : tensor<1x24x3x32xbf16>
    %transposed_36 = linalg.transpose ins(%expanded_35 : tensor<1x3x24x32xbf16>) outs(%83 : tensor<1x24x3x32xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_37 = tensor.collapse_shape %transposed_36 [[0], [1], [2, 3]] : tensor<1x24x3x32xbf16> into tensor<1x24x96xbf16>
    %84 = tensor.empty() : tensor<96x96xbf16>
    %transposed_38 = linalg.transpose ins(%arg6 : tensor<96x96xbf16>) outs(%84 : tensor<96x96xbf16>) permutation = [1, 0] 
    %collapsed_39 = tensor.collapse_shape %collapsed_37 [[0, 1], [2]] : tensor<1x24x96xbf16> into tensor<24x96xbf16>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %85 = tensor.empty() : tensor<24x96xf32>
    %86 = linalg.fill ins(%cst_40 : f32) outs(%85 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %87 = linalg.matmul ins(%collapsed_39, %transposed_38 : tensor<24x96xbf16>, tensor<96x96xbf16>) outs(%86 : tensor<24x96xf32>) -> tensor<24x96xf32>
    %88 = tensor.empty() : tensor<24x96xbf16>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%87 : tensor<24x96xf32>) outs(%88 : tensor<24x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %90 = arith.truncf %in : f32 to bf16
      linalg.yield %90 : bf16
    } -> tensor<24x96xbf16>
    %expanded_41 = tensor.expand_shape %89 [[0, 1], [2]] output_shape [1, 24, 96] : tensor<24x96xbf16> into tensor<1x24x96xbf16>
    return %expanded_41 : tensor<1x24x96xbf16>
  }
}

