// Queries, keys and values of each head lie beside each other in the columns of one weight, beside a cache.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x1x128xf32>, %arg1: tensor<1x1x1x8xf32>, %arg2: tensor<1x1x1x8xf32>, %arg3: tensor<1x4x40x32xf32>, %arg4: tensor<1x4x40x32xf32>, %arg5: tensor<128xf32>, %arg6: tensor<128xf32>, %arg7: tensor<384x128xf32>, %arg8: tensor<384xf32>, %arg9: tensor<128x128xf32>, %arg10: tensor<128xf32>) -> (tensor<1x1x128xf32>, tensor<1x4x41x32xf32>, tensor<1x4x41x32xf32>) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x1x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x1x128xf32>) outs(%1 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %3 = tensor.empty() : tensor<1x1x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x1x1xf32>) outs(%3 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 1.280000e+02 : f32
      %77 = arith.divf %in, %cst_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %5 = tensor.empty() : tensor<1x1x128xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<1x1x128xf32>, tensor<1x1x1xf32>) outs(%5 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.subf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %7 = tensor.empty() : tensor<1x1x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x1x128xf32>, tensor<1x1x128xf32>) outs(%7 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<1x1x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x1x128xf32>) outs(%10 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %12 = tensor.empty() : tensor<1x1x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x1x1xf32>) outs(%12 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 1.280000e+02 : f32
      %77 = arith.divf %in, %cst_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %14 = tensor.empty() : tensor<1x1x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x1x1xf32>) outs(%14 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 9.99999974E-6 : f32
      %77 = arith.addf %in, %cst_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %16 = tensor.empty() : tensor<1x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x1x1xf32>) outs(%16 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.rsqrt %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x1xf32>
    %18 = tensor.empty() : tensor<1x1x128xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<1x1x128xf32>, tensor<1x1x1xf32>) outs(%18 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %20 = tensor.empty() : tensor<1x1x128xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg5 : tensor<1x1x128xf32>, tensor<128xf32>) outs(%20 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %22 = tensor.empty() : tensor<1x1x128xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg6 : tensor<1x1x128xf32>, tensor<128xf32>) outs(%22 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %24 = tensor.empty() : tensor<128x384xf32>
    %transposed = linalg.transpose ins(%arg7 : tensor<384x128xf32>) outs(%24 : tensor<128x384xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %23 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<1x384xf32>
    %26 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<1x384xf32>) -> tensor<1x384xf32>
    %27 = linalg.matmul ins(%collapsed, %transposed : tensor<1x128xf32>, tensor<128x384xf32>) outs(%26 : tensor<1x384xf32>) -> tensor<1x384xf32>
    %expanded = tensor.expand_shape %27 [[0], [1, 2]] output_shape [1, 1, 384] : tensor<1x384xf32> into tensor<1x1x384xf32>
    %28 = tensor.empty() : tensor<1x1x384xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg8 : tensor<1x1x384xf32>, tensor<384xf32>) outs(%28 : tensor<1x1x384xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x384xf32>
    %expanded_2 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [1, 1, 4, 96] : tensor<1x1x384xf32> into tensor<1x1x4x96xf32>
    %30 = tensor.empty() : tensor<1x4x1x96xf32>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<1x1x4x96xf32>) outs(%30 : tensor<1x4x1x96xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_3[0, 0, 0, 0] [1, 4, 1, 32] [1, 1, 1, 1] : tensor<1x4x1x96xf32> to tensor<1x4x1x32xf32>
    %extracted_slice_4 = tensor.extract_slice %transposed_3[0, 0, 0, 32] [1, 4, 1, 32] [1, 1, 1, 1] : tensor<1x4x1x96xf32> to tensor<1x4x1x32xf32>
    %extracted_slice_5 = tensor.extract_slice %transposed_3[0, 0, 0, 64] [1, 4, 1, 32] [1, 1, 1, 1] : tensor<1x4x1x96xf32> to tensor<1x4x1x32xf32>
    %extracted_slice_6 = tensor.extract_slice %extracted_slice_4[0, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<1x4x1x32xf32> to tensor<1x4x1x8xf32>
    %extracted_slice_7 = tensor.extract_slice %extracted_slice_6[0, 0, 0, 0] [1, 4, 1, 4] [1, 1, 1, 1] : tensor<1x4x1x8xf32> to tensor<1x4x1x4xf32>
    %extracted_slice_8 = tensor.extract_slice %extracted_slice_6[0, 0, 0, 4] [1, 4, 1, 4] [1, 1, 1, 1] : tensor<1x4x1x8xf32> to tensor<1x4x1x4xf32>
    %31 = tensor.empty() : tensor<1x4x1x8xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_6, %arg1 : tensor<1x4x1x8xf32>, tensor<1x1x1x8xf32>) outs(%31 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %33 = tensor.empty() : tensor<1x4x1x4xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x4x1x4xf32>) outs(%33 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.negf %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x4xf32>
    %concat = tensor.concat dim(3) %34, %extracted_slice_7 : (tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>) -> tensor<1x4x1x8xf32>
    %35 = tensor.empty() : tensor<1x4x1x8xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<1x4x1x8xf32>, tensor<1x1x1x8xf32>) outs(%35 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %37 = tensor.empty() : tensor<1x4x1x8xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %36 : tensor<1x4x1x8xf32>, tensor<1x4x1x8xf32>) outs(%37 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %extracted_slice_9 = tensor.extract_slice %extracted_slice_4[0, 0, 0, 8] [1, 4, 1, 24] [1, 1, 1, 1] : tensor<1x4x1x32xf32> to tensor<1x4x1x24xf32>
    %concat_10 = tensor.concat dim(3) %38, %extracted_slice_9 : (tensor<1x4x1x8xf32>, tensor<1x4x1x24xf32>) -> tensor<1x4x1x32xf32>
    %concat_11 = tensor.concat dim(2) %arg3, %concat_10 : (tensor<1x4x40x32xf32>, tensor<1x4x1x32xf32>) -> tensor<1x4x41x32xf32>
    %concat_12 = tensor.concat dim(2) %arg4, %extracted_slice_5 : (tensor<1x4x40x32xf32>, tensor<1x4x1x32xf32>) -> tensor<1x4x41x32xf32>
    %extracted_slice_13 = tensor.extract_slice %extracted_slice[0, 0, 0, 0] [1, 4, 1, 8] [1, 1, 1, 1] : tensor<1x4x1x32xf32> to tensor<1x4x1x8xf32>
    %extracted_slice_14 = tensor.extract_slice %extracted_slice_13[0, 0, 0, 0] [1, 4, 1, 4] [1, 1, 1, 1] : tensor<1x4x1x8xf32> to tensor<1x4x1x4xf32>
    %extracted_slice_15 = tensor.extract_slice %extracted_slice_13[0, 0, 0, 4] [1, 4, 1, 4] [1, 1, 1, 1] : tensor<1x4x1x8xf32> to tensor<1x4x1x4xf32>
    %39 = tensor.empty() : tensor<1x4x1x8xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13, %arg1 : tensor<1x4x1x8xf32>, tensor<1x1x1x8xf32>) outs(%39 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %41 = tensor.empty() : tensor<1x4x1x4xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_15 : tensor<1x4x1x4xf32>) outs(%41 : tensor<1x4x1x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.negf %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x4xf32>
    %concat_16 = tensor.concat dim(3) %42, %extracted_slice_14 : (tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>) -> tensor<1x4x1x8xf32>
    %43 = tensor.empty() : tensor<1x4x1x8xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_16, %arg2 : tensor<1x4x1x8xf32>, tensor<1x1x1x8xf32>) outs(%43 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.mulf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %45 = tensor.empty() : tensor<1x4x1x8xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %44 : tensor<1x4x1x8xf32>, tensor<1x4x1x8xf32>) outs(%45 : tensor<1x4x1x8xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x8xf32>
    %extracted_slice_17 = tensor.extract_slice %extracted_slice[0, 0, 0, 8] [1, 4, 1, 24] [1, 1, 1, 1] : tensor<1x4x1x32xf32> to tensor<1x4x1x24xf32>
    %concat_18 = tensor.concat dim(3) %46, %extracted_slice_17 : (tensor<1x4x1x8xf32>, tensor<1x4x1x24xf32>) -> tensor<1x4x1x32xf32>
    %47 = tensor.empty() : tensor<1x4x32x41xf32>
    %transposed_19 = linalg.transpose ins(%concat_11 : tensor<1x4x41x32xf32>) outs(%47 : tensor<1x4x32x41xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_20 = tensor.collapse_shape %concat_18 [[0, 1], [2], [3]] : tensor<1x4x1x32xf32> into tensor<4x1x32xf32>
    %collapsed_21 = tensor.collapse_shape %transposed_19 [[0, 1], [2], [3]] : tensor<1x4x32x41xf32> into tensor<4x32x41xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %48 = tensor.empty() : tensor<4x1x41xf32>
    %49 = linalg.fill ins(%cst_22 : f32) outs(%48 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %50 = linalg.batch_matmul ins(%collapsed_20, %collapsed_21 : tensor<4x1x32xf32>, tensor<4x32x41xf32>) outs(%49 : tensor<4x1x41xf32>) -> tensor<4x1x41xf32>
    %expanded_23 = tensor.expand_shape %50 [[0, 1], [2], [3]] output_shape [1, 4, 1, 41] : tensor<4x1x41xf32> into tensor<1x4x1x41xf32>
    %51 = tensor.empty() : tensor<1x4x1x41xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_23 : tensor<1x4x1x41xf32>) outs(%51 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_36 = arith.constant 0.176776692 : f32
      %77 = arith.mulf %in, %cst_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x41xf32>
    %cst_24 = arith.constant 0xFF800000 : f32
    %53 = tensor.empty() : tensor<1x4x1x1xf32>
    %54 = linalg.fill ins(%cst_24 : f32) outs(%53 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x4x1x41xf32>) outs(%54 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.maximumf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x1xf32>
    %56 = tensor.empty() : tensor<1x4x1x41xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %55 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%56 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.subf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x41xf32>
    %58 = tensor.empty() : tensor<1x4x1x41xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<1x4x1x41xf32>) outs(%58 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = math.exp %in : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x41xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %60 = tensor.empty() : tensor<1x4x1x1xf32>
    %61 = linalg.fill ins(%cst_25 : f32) outs(%60 : tensor<1x4x1x1xf32>) -> tensor<1x4x1x1xf32>
    %62 = linalg.generic {indexing_maps = [#map3, #map5], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%59 : tensor<1x4x1x41xf32>) outs(%61 : tensor<1x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %77 = arith.addf %in, %out : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x1xf32>
    %63 = tensor.empty() : tensor<1x4x1x41xf32>
    %64 = linalg.generic {indexing_maps = [#map3, #map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %62 : tensor<1x4x1x41xf32>, tensor<1x4x1x1xf32>) outs(%63 : tensor<1x4x1x41xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.divf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x4x1x41xf32>
    %collapsed_26 = tensor.collapse_shape %64 [[0, 1], [2], [3]] : tensor<1x4x1x41xf32> into tensor<4x1x41xf32>
    %collapsed_27 = tensor.collapse_shape %concat_12 [[0, 1], [2], [3]] : tensor<1x4x41x32xf32> into tensor<4x41x32xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %65 = tensor.empty() : tensor<4x1x32xf32>
    %66 = linalg.fill ins(%cst_28 : f32) outs(%65 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %67 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<4x1x41xf32>, tensor<4x41x32xf32>) outs(%66 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %expanded_29 = tensor.expand_shape %67 [[0, 1], [2], [3]] output_shape [1, 4, 1, 32] : tensor<4x1x32xf32> into tensor<1x4x1x32xf32>
    %68 = tensor.empty() : tensor<1x1x4x32xf32>
    %transposed_30 = linalg.transpose ins(%expanded_29 : tensor<1x4x1x32xf32>) outs(%68 : tensor<1x1x4x32xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_31 = tensor.collapse_shape %transposed_30 [[0], [1], [2, 3]] : tensor<1x1x4x32xf32> into tensor<1x1x128xf32>
    %69 = tensor.empty() : tensor<128x128xf32>
    %transposed_32 = linalg.transpose ins(%arg9 : tensor<128x128xf32>) outs(%69 : tensor<128x128xf32>) permutation = [1, 0] 
    %collapsed_33 = tensor.collapse_shape %collapsed_31 [[0], [1, 2]] : tensor<1x1x128xf32> into tensor<1x128xf32>
    %cst_34 = arith.constant 0.000000e+00 : f32
    %70 = tensor.empty() : tensor<1x128xf32>
    %71 = linalg.fill ins(%cst_34 : f32) outs(%70 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %72 = linalg.matmul ins(%collapsed_33, %transposed_32 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%71 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %expanded_35 = tensor.expand_shape %72 [[0], [1, 2]] output_shape [1, 1, 128] : tensor<1x128xf32> into tensor<1x1x128xf32>
    %73 = tensor.empty() : tensor<1x1x128xf32>
    %74 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_35, %arg10 : tensor<1x1x128xf32>, tensor<128xf32>) outs(%73 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    %75 = tensor.empty() : tensor<1x1x128xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%74, %arg0 : tensor<1x1x128xf32>, tensor<1x1x128xf32>) outs(%75 : tensor<1x1x128xf32>) {
    ^bb0(%in: f32, %in_36: f32, %out: f32):
      %77 = arith.addf %in, %in_36 : f32
      linalg.yield %77 : f32
    } -> tensor<1x1x128xf32>
    return %76, %concat_11, %concat_12 : tensor<1x1x128xf32>, tensor<1x4x41x32xf32>, tensor<1x4x41x32xf32>
  }
}

