// Keys and values of inputs and latents that are put together, by one weight whose columns are told apart: each part is multiplied by itself.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<12x72xf32>, %arg1: tensor<1x50x72xf32>, %arg2: tensor<72xf32>, %arg3: tensor<72xf32>, %arg4: tensor<72xf32>, %arg5: tensor<72xf32>, %arg6: tensor<72x72xf32>, %arg7: tensor<144x72xf32>, %arg8: tensor<72x72xf32>) -> tensor<1x12x72xf32> {
    %expanded = tensor.expand_shape %arg0 [[0, 1], [2]] output_shape [1, 12, 72] : tensor<12x72xf32> into tensor<1x12x72xf32>
    %0 = tensor.empty() : tensor<1x12x72xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x12x72xf32>) outs(%0 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x12x72xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<1x12x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x12x72xf32>) outs(%3 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %5 = tensor.empty() : tensor<1x12x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<1x12x1xf32>) outs(%5 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 7.200000e+01 : f32
      %89 = arith.divf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %7 = tensor.empty() : tensor<1x12x72xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %6 : tensor<1x12x72xf32>, tensor<1x12x1xf32>) outs(%7 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.subf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %9 = tensor.empty() : tensor<1x12x72xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<1x12x72xf32>, tensor<1x12x72xf32>) outs(%9 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<1x12x1xf32>
    %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<1x12x1xf32>) -> tensor<1x12x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%10 : tensor<1x12x72xf32>) outs(%12 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %14 = tensor.empty() : tensor<1x12x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x12x1xf32>) outs(%14 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 7.200000e+01 : f32
      %89 = arith.divf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %16 = tensor.empty() : tensor<1x12x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x12x1xf32>) outs(%16 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 9.99999974E-6 : f32
      %89 = arith.addf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %18 = tensor.empty() : tensor<1x12x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x12x1xf32>) outs(%18 : tensor<1x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.rsqrt %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x1xf32>
    %20 = tensor.empty() : tensor<1x12x72xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %19 : tensor<1x12x72xf32>, tensor<1x12x1xf32>) outs(%20 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %22 = tensor.empty() : tensor<1x12x72xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<1x12x72xf32>, tensor<72xf32>) outs(%22 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %24 = tensor.empty() : tensor<1x12x72xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg3 : tensor<1x12x72xf32>, tensor<72xf32>) outs(%24 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.addf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<1x50x1xf32>
    %27 = linalg.fill ins(%cst_1 : f32) outs(%26 : tensor<1x50x1xf32>) -> tensor<1x50x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg1 : tensor<1x50x72xf32>) outs(%27 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %29 = tensor.empty() : tensor<1x50x1xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%28 : tensor<1x50x1xf32>) outs(%29 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 7.200000e+01 : f32
      %89 = arith.divf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %31 = tensor.empty() : tensor<1x50x72xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %30 : tensor<1x50x72xf32>, tensor<1x50x1xf32>) outs(%31 : tensor<1x50x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.subf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x72xf32>
    %33 = tensor.empty() : tensor<1x50x72xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %32 : tensor<1x50x72xf32>, tensor<1x50x72xf32>) outs(%33 : tensor<1x50x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x72xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %35 = tensor.empty() : tensor<1x50x1xf32>
    %36 = linalg.fill ins(%cst_2 : f32) outs(%35 : tensor<1x50x1xf32>) -> tensor<1x50x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%34 : tensor<1x50x72xf32>) outs(%36 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %38 = tensor.empty() : tensor<1x50x1xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%37 : tensor<1x50x1xf32>) outs(%38 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 7.200000e+01 : f32
      %89 = arith.divf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %40 = tensor.empty() : tensor<1x50x1xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x50x1xf32>) outs(%40 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 9.99999974E-6 : f32
      %89 = arith.addf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %42 = tensor.empty() : tensor<1x50x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<1x50x1xf32>) outs(%42 : tensor<1x50x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.rsqrt %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x1xf32>
    %44 = tensor.empty() : tensor<1x50x72xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32, %43 : tensor<1x50x72xf32>, tensor<1x50x1xf32>) outs(%44 : tensor<1x50x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x72xf32>
    %46 = tensor.empty() : tensor<1x50x72xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %arg4 : tensor<1x50x72xf32>, tensor<72xf32>) outs(%46 : tensor<1x50x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.mulf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x72xf32>
    %48 = tensor.empty() : tensor<1x50x72xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%47, %arg5 : tensor<1x50x72xf32>, tensor<72xf32>) outs(%48 : tensor<1x50x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.addf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x50x72xf32>
    %concat = tensor.concat dim(1) %49, %25 : (tensor<1x50x72xf32>, tensor<1x12x72xf32>) -> tensor<1x62x72xf32>
    %50 = tensor.empty() : tensor<72x72xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<72x72xf32>) outs(%50 : tensor<72x72xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %25 [[0, 1], [2]] : tensor<1x12x72xf32> into tensor<12x72xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %51 = tensor.empty() : tensor<12x72xf32>
    %52 = linalg.fill ins(%cst_3 : f32) outs(%51 : tensor<12x72xf32>) -> tensor<12x72xf32>
    %53 = linalg.matmul ins(%collapsed, %transposed : tensor<12x72xf32>, tensor<72x72xf32>) outs(%52 : tensor<12x72xf32>) -> tensor<12x72xf32>
    %expanded_4 = tensor.expand_shape %53 [[0, 1], [2]] output_shape [1, 12, 72] : tensor<12x72xf32> into tensor<1x12x72xf32>
    %54 = tensor.empty() : tensor<1x12x72xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_4 : tensor<1x12x72xf32>) outs(%54 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_33 = arith.constant 0.204124153 : f32
      %89 = arith.mulf %in, %cst_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    %expanded_5 = tensor.expand_shape %55 [[0], [1], [2, 3]] output_shape [1, 12, 3, 24] : tensor<1x12x72xf32> into tensor<1x12x3x24xf32>
    %56 = tensor.empty() : tensor<1x3x12x24xf32>
    %transposed_6 = linalg.transpose ins(%expanded_5 : tensor<1x12x3x24xf32>) outs(%56 : tensor<1x3x12x24xf32>) permutation = [0, 2, 1, 3] 
    %57 = tensor.empty() : tensor<72x144xf32>
    %transposed_7 = linalg.transpose ins(%arg7 : tensor<144x72xf32>) outs(%57 : tensor<72x144xf32>) permutation = [1, 0] 
    %collapsed_8 = tensor.collapse_shape %concat [[0, 1], [2]] : tensor<1x62x72xf32> into tensor<62x72xf32>
    %cst_9 = arith.constant 0.000000e+00 : f32
    %58 = tensor.empty() : tensor<62x144xf32>
    %59 = linalg.fill ins(%cst_9 : f32) outs(%58 : tensor<62x144xf32>) -> tensor<62x144xf32>
    %60 = linalg.matmul ins(%collapsed_8, %transposed_7 : tensor<62x72xf32>, tensor<72x144xf32>) outs(%59 : tensor<62x144xf32>) -> tensor<62x144xf32>
    %expanded_10 = tensor.expand_shape %60 [[0, 1], [2]] output_shape [1, 62, 144] : tensor<62x144xf32> into tensor<1x62x144xf32>
    %extracted_slice = tensor.extract_slice %expanded_10[0, 0, 0] [1, 62, 72] [1, 1, 1] : tensor<1x62x144xf32> to tensor<1x62x72xf32>
    %extracted_slice_11 = tensor.extract_slice %expanded_10[0, 0, 72] [1, 62, 72] [1, 1, 1] : tensor<1x62x144xf32> to tensor<1x62x72xf32>
    %expanded_12 = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [1, 62, 3, 24] : tensor<1x62x72xf32> into tensor<1x62x3x24xf32>
    %61 = tensor.empty() : tensor<1x3x62x24xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x62x3x24xf32>) outs(%61 : tensor<1x3x62x24xf32>) permutation = [0, 2, 1, 3] 
    %expanded_14 = tensor.expand_shape %extracted_slice_11 [[0], [1], [2, 3]] output_shape [1, 62, 3, 24] : tensor<1x62x72xf32> into tensor<1x62x3x24xf32>
    %62 = tensor.empty() : tensor<1x3x62x24xf32>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<1x62x3x24xf32>) outs(%62 : tensor<1x3x62x24xf32>) permutation = [0, 2, 1, 3] 
    %63 = tensor.empty() : tensor<1x3x24x62xf32>
    %transposed_16 = linalg.transpose ins(%transposed_13 : tensor<1x3x62x24xf32>) outs(%63 : tensor<1x3x24x62xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_17 = tensor.collapse_shape %transposed_6 [[0, 1], [2], [3]] : tensor<1x3x12x24xf32> into tensor<3x12x24xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x3x24x62xf32> into tensor<3x24x62xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %64 = tensor.empty() : tensor<3x12x62xf32>
    %65 = linalg.fill ins(%cst_19 : f32) outs(%64 : tensor<3x12x62xf32>) -> tensor<3x12x62xf32>
    %66 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<3x12x24xf32>, tensor<3x24x62xf32>) outs(%65 : tensor<3x12x62xf32>) -> tensor<3x12x62xf32>
    %expanded_20 = tensor.expand_shape %66 [[0, 1], [2], [3]] output_shape [1, 3, 12, 62] : tensor<3x12x62xf32> into tensor<1x3x12x62xf32>
    %cst_21 = arith.constant 0xFF800000 : f32
    %67 = tensor.empty() : tensor<1x3x12x1xf32>
    %68 = linalg.fill ins(%cst_21 : f32) outs(%67 : tensor<1x3x12x1xf32>) -> tensor<1x3x12x1xf32>
    %69 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%expanded_20 : tensor<1x3x12x62xf32>) outs(%68 : tensor<1x3x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.maximumf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x3x12x1xf32>
    %70 = tensor.empty() : tensor<1x3x12x62xf32>
    %71 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20, %69 : tensor<1x3x12x62xf32>, tensor<1x3x12x1xf32>) outs(%70 : tensor<1x3x12x62xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.subf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x3x12x62xf32>
    %72 = tensor.empty() : tensor<1x3x12x62xf32>
    %73 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x3x12x62xf32>) outs(%72 : tensor<1x3x12x62xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = math.exp %in : f32
      linalg.yield %89 : f32
    } -> tensor<1x3x12x62xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %74 = tensor.empty() : tensor<1x3x12x1xf32>
    %75 = linalg.fill ins(%cst_22 : f32) outs(%74 : tensor<1x3x12x1xf32>) -> tensor<1x3x12x1xf32>
    %76 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%73 : tensor<1x3x12x62xf32>) outs(%75 : tensor<1x3x12x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %89 = arith.addf %in, %out : f32
      linalg.yield %89 : f32
    } -> tensor<1x3x12x1xf32>
    %77 = tensor.empty() : tensor<1x3x12x62xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %76 : tensor<1x3x12x62xf32>, tensor<1x3x12x1xf32>) outs(%77 : tensor<1x3x12x62xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.divf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x3x12x62xf32>
    %collapsed_23 = tensor.collapse_shape %78 [[0, 1], [2], [3]] : tensor<1x3x12x62xf32> into tensor<3x12x62xf32>
    %collapsed_24 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<1x3x62x24xf32> into tensor<3x62x24xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %79 = tensor.empty() : tensor<3x12x24xf32>
    %80 = linalg.fill ins(%cst_25 : f32) outs(%79 : tensor<3x12x24xf32>) -> tensor<3x12x24xf32>
    %81 = linalg.batch_matmul ins(%collapsed_23, %collapsed_24 : tensor<3x12x62xf32>, tensor<3x62x24xf32>) outs(%80 : tensor<3x12x24xf32>) -> tensor<3x12x24xf32>
    %expanded_26 = tensor.expand_shape %81 [[0, 1], [2], [3]] output_shape [1, 3, 12, 24] : tensor<3x12x24xf32> into tensor<1x3x12x24xf32>
    %82 = tensor.empty() : tensor<1x12x3x24xf32>
    %transposed_27 = linalg.transpose ins(%expanded_26 : tensor<1x3x12x24xf32>) outs(%82 : tensor<1x12x3x24xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_28 = tensor.collapse_shape %transposed_27 [[0], [1], [2, 3]] : tensor<1x12x3x24xf32> into tensor<1x12x72xf32>
    %83 = tensor.empty() : tensor<72x72xf32>
    %transposed_29 = linalg.transpose ins(%arg8 : tensor<72x72xf32>) outs(%83 : tensor<72x72xf32>) permutation = [1, 0] 
    %collapsed_30 = tensor.collapse_shape %collapsed_28 [[0, 1], [2]] : tensor<1x12x72xf32> into tensor<12x72xf32>
    %cst_31 = arith.constant 0.000000e+00 : f32
    %84 = tensor.empty() : tensor<12x72xf32>
    %85 = linalg.fill ins(%cst_31 : f32) outs(%84 : tensor<12x72xf32>) -> tensor<12x72xf32>
    %86 = linalg.matmul ins(%collapsed_30, %transposed_29 : tensor<12x72xf32>, tensor<72x72xf32>) outs(%85 : tensor<12x72xf32>) -> tensor<12x72xf32>
    %expanded_32 = tensor.expand_shape %86 [[0, 1], [2]] output_shape [1, 12, 72] : tensor<12x72xf32> into tensor<1x12x72xf32>
    %87 = tensor.empty() : tensor<1x12x72xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %expanded_32 : tensor<1x12x72xf32>, tensor<1x12x72xf32>) outs(%87 : tensor<1x12x72xf32>) {
    ^bb0(%in: f32, %in_33: f32, %out: f32):
      %89 = arith.addf %in, %in_33 : f32
      linalg.yield %89 : f32
    } -> tensor<1x12x72xf32>
    return %88 : tensor<1x12x72xf32>
  }
}

