// Queries, keys and values of each head lie beside each other in the columns of one weight, as GPT-NeoX has them: kernels read columns of each head in place.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x26x128xf32>, %arg1: tensor<1x1x26x8xf32>, %arg2: tensor<1x1x26x8xf32>, %arg3: tensor<128xf32>, %arg4: tensor<128xf32>, %arg5: tensor<384x128xf32>, %arg6: tensor<384xf32>, %arg7: tensor<128x128xf32>, %arg8: tensor<128xf32>, %arg9: tensor<128xf32>, %arg10: tensor<128xf32>, %arg11: tensor<512x128xf32>, %arg12: tensor<512xf32>, %arg13: tensor<128x512xf32>, %arg14: tensor<128xf32>) -> tensor<1x26x128xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x26x1xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x26x1xf32>) -> tensor<1x26x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x26x128xf32>) outs(%1 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %3 = tensor.empty() : tensor<1x26x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%2 : tensor<1x26x1xf32>) outs(%3 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 1.280000e+02 : f32
      %121 = arith.divf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %5 = tensor.empty() : tensor<1x26x128xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %4 : tensor<1x26x128xf32>, tensor<1x26x1xf32>) outs(%5 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.subf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %7 = tensor.empty() : tensor<1x26x128xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %6 : tensor<1x26x128xf32>, tensor<1x26x128xf32>) outs(%7 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %9 = tensor.empty() : tensor<1x26x1xf32>
    %10 = linalg.fill ins(%cst_0 : f32) outs(%9 : tensor<1x26x1xf32>) -> tensor<1x26x1xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<1x26x128xf32>) outs(%10 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %12 = tensor.empty() : tensor<1x26x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<1x26x1xf32>) outs(%12 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 1.280000e+02 : f32
      %121 = arith.divf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %14 = tensor.empty() : tensor<1x26x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<1x26x1xf32>) outs(%14 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 9.99999974E-6 : f32
      %121 = arith.addf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %16 = tensor.empty() : tensor<1x26x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<1x26x1xf32>) outs(%16 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %18 = tensor.empty() : tensor<1x26x128xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %17 : tensor<1x26x128xf32>, tensor<1x26x1xf32>) outs(%18 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %20 = tensor.empty() : tensor<1x26x128xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %arg3 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%20 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %22 = tensor.empty() : tensor<1x26x128xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg4 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%22 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %24 = tensor.empty() : tensor<128x384xf32>
    %transposed = linalg.transpose ins(%arg5 : tensor<384x128xf32>) outs(%24 : tensor<128x384xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %23 [[0, 1], [2]] : tensor<1x26x128xf32> into tensor<26x128xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<26x384xf32>
    %26 = linalg.fill ins(%cst_1 : f32) outs(%25 : tensor<26x384xf32>) -> tensor<26x384xf32>
    %27 = linalg.matmul ins(%collapsed, %transposed : tensor<26x128xf32>, tensor<128x384xf32>) outs(%26 : tensor<26x384xf32>) -> tensor<26x384xf32>
    %expanded = tensor.expand_shape %27 [[0, 1], [2]] output_shape [1, 26, 384] : tensor<26x384xf32> into tensor<1x26x384xf32>
    %28 = tensor.empty() : tensor<1x26x384xf32>
    %29 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg6 : tensor<1x26x384xf32>, tensor<384xf32>) outs(%28 : tensor<1x26x384xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x384xf32>
    %expanded_2 = tensor.expand_shape %29 [[0], [1], [2, 3]] output_shape [1, 26, 4, 96] : tensor<1x26x384xf32> into tensor<1x26x4x96xf32>
    %30 = tensor.empty() : tensor<1x4x26x96xf32>
    %transposed_3 = linalg.transpose ins(%expanded_2 : tensor<1x26x4x96xf32>) outs(%30 : tensor<1x4x26x96xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_3[0, 0, 0, 0] [1, 4, 26, 32] [1, 1, 1, 1] : tensor<1x4x26x96xf32> to tensor<1x4x26x32xf32>
    %extracted_slice_4 = tensor.extract_slice %transposed_3[0, 0, 0, 32] [1, 4, 26, 32] [1, 1, 1, 1] : tensor<1x4x26x96xf32> to tensor<1x4x26x32xf32>
    %extracted_slice_5 = tensor.extract_slice %transposed_3[0, 0, 0, 64] [1, 4, 26, 32] [1, 1, 1, 1] : tensor<1x4x26x96xf32> to tensor<1x4x26x32xf32>
    %extracted_slice_6 = tensor.extract_slice %extracted_slice[0, 0, 0, 0] [1, 4, 26, 8] [1, 1, 1, 1] : tensor<1x4x26x32xf32> to tensor<1x4x26x8xf32>
    %extracted_slice_7 = tensor.extract_slice %extracted_slice_6[0, 0, 0, 0] [1, 4, 26, 4] [1, 1, 1, 1] : tensor<1x4x26x8xf32> to tensor<1x4x26x4xf32>
    %extracted_slice_8 = tensor.extract_slice %extracted_slice_6[0, 0, 0, 4] [1, 4, 26, 4] [1, 1, 1, 1] : tensor<1x4x26x8xf32> to tensor<1x4x26x4xf32>
    %31 = tensor.empty() : tensor<1x4x26x8xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_6, %arg1 : tensor<1x4x26x8xf32>, tensor<1x1x26x8xf32>) outs(%31 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %33 = tensor.empty() : tensor<1x4x26x4xf32>
    %34 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8 : tensor<1x4x26x4xf32>) outs(%33 : tensor<1x4x26x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.negf %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x4xf32>
    %concat = tensor.concat dim(3) %34, %extracted_slice_7 : (tensor<1x4x26x4xf32>, tensor<1x4x26x4xf32>) -> tensor<1x4x26x8xf32>
    %35 = tensor.empty() : tensor<1x4x26x8xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<1x4x26x8xf32>, tensor<1x1x26x8xf32>) outs(%35 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %37 = tensor.empty() : tensor<1x4x26x8xf32>
    %38 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %36 : tensor<1x4x26x8xf32>, tensor<1x4x26x8xf32>) outs(%37 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %extracted_slice_9 = tensor.extract_slice %extracted_slice[0, 0, 0, 8] [1, 4, 26, 24] [1, 1, 1, 1] : tensor<1x4x26x32xf32> to tensor<1x4x26x24xf32>
    %concat_10 = tensor.concat dim(3) %38, %extracted_slice_9 : (tensor<1x4x26x8xf32>, tensor<1x4x26x24xf32>) -> tensor<1x4x26x32xf32>
    %extracted_slice_11 = tensor.extract_slice %extracted_slice_4[0, 0, 0, 0] [1, 4, 26, 8] [1, 1, 1, 1] : tensor<1x4x26x32xf32> to tensor<1x4x26x8xf32>
    %extracted_slice_12 = tensor.extract_slice %extracted_slice_11[0, 0, 0, 0] [1, 4, 26, 4] [1, 1, 1, 1] : tensor<1x4x26x8xf32> to tensor<1x4x26x4xf32>
    %extracted_slice_13 = tensor.extract_slice %extracted_slice_11[0, 0, 0, 4] [1, 4, 26, 4] [1, 1, 1, 1] : tensor<1x4x26x8xf32> to tensor<1x4x26x4xf32>
    %39 = tensor.empty() : tensor<1x4x26x8xf32>
    %40 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_11, %arg1 : tensor<1x4x26x8xf32>, tensor<1x1x26x8xf32>) outs(%39 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %41 = tensor.empty() : tensor<1x4x26x4xf32>
    %42 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<1x4x26x4xf32>) outs(%41 : tensor<1x4x26x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.negf %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x4xf32>
    %concat_14 = tensor.concat dim(3) %42, %extracted_slice_12 : (tensor<1x4x26x4xf32>, tensor<1x4x26x4xf32>) -> tensor<1x4x26x8xf32>
    %43 = tensor.empty() : tensor<1x4x26x8xf32>
    %44 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_14, %arg2 : tensor<1x4x26x8xf32>, tensor<1x1x26x8xf32>) outs(%43 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %45 = tensor.empty() : tensor<1x4x26x8xf32>
    %46 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%40, %44 : tensor<1x4x26x8xf32>, tensor<1x4x26x8xf32>) outs(%45 : tensor<1x4x26x8xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x8xf32>
    %extracted_slice_15 = tensor.extract_slice %extracted_slice_4[0, 0, 0, 8] [1, 4, 26, 24] [1, 1, 1, 1] : tensor<1x4x26x32xf32> to tensor<1x4x26x24xf32>
    %concat_16 = tensor.concat dim(3) %46, %extracted_slice_15 : (tensor<1x4x26x8xf32>, tensor<1x4x26x24xf32>) -> tensor<1x4x26x32xf32>
    %47 = tensor.empty() : tensor<26x26xf32>
    %48 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%47 : tensor<26x26xf32>) {
    ^bb0(%out: f32):
      %121 = linalg.index 0 : index
      %122 = linalg.index 1 : index
      %123 = arith.cmpi sge, %121, %122 : index
      %cst_45 = arith.constant 0.000000e+00 : f32
      %cst_46 = arith.constant -3.40282347E+38 : f32
      %124 = arith.select %123, %cst_45, %cst_46 : f32
      linalg.yield %124 : f32
    } -> tensor<26x26xf32>
    %expanded_17 = tensor.expand_shape %48 [[0, 1, 2], [3]] output_shape [1, 1, 26, 26] : tensor<26x26xf32> into tensor<1x1x26x26xf32>
    %49 = tensor.empty() : tensor<1x4x32x26xf32>
    %transposed_18 = linalg.transpose ins(%concat_16 : tensor<1x4x26x32xf32>) outs(%49 : tensor<1x4x32x26xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_19 = tensor.collapse_shape %concat_10 [[0, 1], [2], [3]] : tensor<1x4x26x32xf32> into tensor<4x26x32xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<1x4x32x26xf32> into tensor<4x32x26xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %50 = tensor.empty() : tensor<4x26x26xf32>
    %51 = linalg.fill ins(%cst_21 : f32) outs(%50 : tensor<4x26x26xf32>) -> tensor<4x26x26xf32>
    %52 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<4x26x32xf32>, tensor<4x32x26xf32>) outs(%51 : tensor<4x26x26xf32>) -> tensor<4x26x26xf32>
    %expanded_22 = tensor.expand_shape %52 [[0, 1], [2], [3]] output_shape [1, 4, 26, 26] : tensor<4x26x26xf32> into tensor<1x4x26x26xf32>
    %53 = tensor.empty() : tensor<1x4x26x26xf32>
    %54 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x4x26x26xf32>) outs(%53 : tensor<1x4x26x26xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 0.176776692 : f32
      %121 = arith.mulf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x26xf32>
    %55 = tensor.empty() : tensor<1x4x26x26xf32>
    %56 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %expanded_17 : tensor<1x4x26x26xf32>, tensor<1x1x26x26xf32>) outs(%55 : tensor<1x4x26x26xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x26xf32>
    %cst_23 = arith.constant 0xFF800000 : f32
    %57 = tensor.empty() : tensor<1x4x26x1xf32>
    %58 = linalg.fill ins(%cst_23 : f32) outs(%57 : tensor<1x4x26x1xf32>) -> tensor<1x4x26x1xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<1x4x26x26xf32>) outs(%58 : tensor<1x4x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.maximumf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x1xf32>
    %60 = tensor.empty() : tensor<1x4x26x26xf32>
    %61 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %59 : tensor<1x4x26x26xf32>, tensor<1x4x26x1xf32>) outs(%60 : tensor<1x4x26x26xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.subf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x26xf32>
    %62 = tensor.empty() : tensor<1x4x26x26xf32>
    %63 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x4x26x26xf32>) outs(%62 : tensor<1x4x26x26xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.exp %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x26xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %64 = tensor.empty() : tensor<1x4x26x1xf32>
    %65 = linalg.fill ins(%cst_24 : f32) outs(%64 : tensor<1x4x26x1xf32>) -> tensor<1x4x26x1xf32>
    %66 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<1x4x26x26xf32>) outs(%65 : tensor<1x4x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x1xf32>
    %67 = tensor.empty() : tensor<1x4x26x26xf32>
    %68 = linalg.generic {indexing_maps = [#map3, #map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<1x4x26x26xf32>, tensor<1x4x26x1xf32>) outs(%67 : tensor<1x4x26x26xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.divf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x4x26x26xf32>
    %collapsed_25 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<1x4x26x26xf32> into tensor<4x26x26xf32>
    %collapsed_26 = tensor.collapse_shape %extracted_slice_5 [[0, 1], [2], [3]] : tensor<1x4x26x32xf32> into tensor<4x26x32xf32>
    %cst_27 = arith.constant 0.000000e+00 : f32
    %69 = tensor.empty() : tensor<4x26x32xf32>
    %70 = linalg.fill ins(%cst_27 : f32) outs(%69 : tensor<4x26x32xf32>) -> tensor<4x26x32xf32>
    %71 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<4x26x26xf32>, tensor<4x26x32xf32>) outs(%70 : tensor<4x26x32xf32>) -> tensor<4x26x32xf32>
    %expanded_28 = tensor.expand_shape %71 [[0, 1], [2], [3]] output_shape [1, 4, 26, 32] : tensor<4x26x32xf32> into tensor<1x4x26x32xf32>
    %72 = tensor.empty() : tensor<1x26x4x32xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x4x26x32xf32>) outs(%72 : tensor<1x26x4x32xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1], [2, 3]] : tensor<1x26x4x32xf32> into tensor<1x26x128xf32>
    %73 = tensor.empty() : tensor<128x128xf32>
    %transposed_31 = linalg.transpose ins(%arg7 : tensor<128x128xf32>) outs(%73 : tensor<128x128xf32>) permutation = [1, 0] 
    %collapsed_32 = tensor.collapse_shape %collapsed_30 [[0, 1], [2]] : tensor<1x26x128xf32> into tensor<26x128xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %74 = tensor.empty() : tensor<26x128xf32>
    %75 = linalg.fill ins(%cst_33 : f32) outs(%74 : tensor<26x128xf32>) -> tensor<26x128xf32>
    %76 = linalg.matmul ins(%collapsed_32, %transposed_31 : tensor<26x128xf32>, tensor<128x128xf32>) outs(%75 : tensor<26x128xf32>) -> tensor<26x128xf32>
    %expanded_34 = tensor.expand_shape %76 [[0, 1], [2]] output_shape [1, 26, 128] : tensor<26x128xf32> into tensor<1x26x128xf32>
    %77 = tensor.empty() : tensor<1x26x128xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %arg8 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%77 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %cst_35 = arith.constant 0.000000e+00 : f32
    %79 = tensor.empty() : tensor<1x26x1xf32>
    %80 = linalg.fill ins(%cst_35 : f32) outs(%79 : tensor<1x26x1xf32>) -> tensor<1x26x1xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x26x128xf32>) outs(%80 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %82 = tensor.empty() : tensor<1x26x1xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81 : tensor<1x26x1xf32>) outs(%82 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 1.280000e+02 : f32
      %121 = arith.divf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %84 = tensor.empty() : tensor<1x26x128xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %83 : tensor<1x26x128xf32>, tensor<1x26x1xf32>) outs(%84 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.subf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %86 = tensor.empty() : tensor<1x26x128xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %85 : tensor<1x26x128xf32>, tensor<1x26x128xf32>) outs(%86 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %88 = tensor.empty() : tensor<1x26x1xf32>
    %89 = linalg.fill ins(%cst_36 : f32) outs(%88 : tensor<1x26x1xf32>) -> tensor<1x26x1xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%87 : tensor<1x26x128xf32>) outs(%89 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %91 = tensor.empty() : tensor<1x26x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%90 : tensor<1x26x1xf32>) outs(%91 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 1.280000e+02 : f32
      %121 = arith.divf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %93 = tensor.empty() : tensor<1x26x1xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%92 : tensor<1x26x1xf32>) outs(%93 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 9.99999974E-6 : f32
      %121 = arith.addf %in, %cst_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %95 = tensor.empty() : tensor<1x26x1xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94 : tensor<1x26x1xf32>) outs(%95 : tensor<1x26x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x1xf32>
    %97 = tensor.empty() : tensor<1x26x128xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%85, %96 : tensor<1x26x128xf32>, tensor<1x26x1xf32>) outs(%97 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %99 = tensor.empty() : tensor<1x26x128xf32>
    %100 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%98, %arg9 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%99 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.mulf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %101 = tensor.empty() : tensor<1x26x128xf32>
    %102 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%100, %arg10 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%101 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %103 = tensor.empty() : tensor<128x512xf32>
    %transposed_37 = linalg.transpose ins(%arg11 : tensor<512x128xf32>) outs(%103 : tensor<128x512xf32>) permutation = [1, 0] 
    %collapsed_38 = tensor.collapse_shape %102 [[0, 1], [2]] : tensor<1x26x128xf32> into tensor<26x128xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %104 = tensor.empty() : tensor<26x512xf32>
    %105 = linalg.fill ins(%cst_39 : f32) outs(%104 : tensor<26x512xf32>) -> tensor<26x512xf32>
    %106 = linalg.matmul ins(%collapsed_38, %transposed_37 : tensor<26x128xf32>, tensor<128x512xf32>) outs(%105 : tensor<26x512xf32>) -> tensor<26x512xf32>
    %expanded_40 = tensor.expand_shape %106 [[0, 1], [2]] output_shape [1, 26, 512] : tensor<26x512xf32> into tensor<1x26x512xf32>
    %107 = tensor.empty() : tensor<1x26x512xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %arg12 : tensor<1x26x512xf32>, tensor<512xf32>) outs(%107 : tensor<1x26x512xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x512xf32>
    %109 = tensor.empty() : tensor<1x26x512xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%108 : tensor<1x26x512xf32>) outs(%109 : tensor<1x26x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_45 = arith.constant 1.41421354 : f32
      %121 = arith.divf %in, %cst_45 : f32
      %122 = math.erf %121 : f32
      %cst_46 = arith.constant 1.000000e+00 : f32
      %123 = arith.addf %122, %cst_46 : f32
      %cst_47 = arith.constant 5.000000e-01 : f32
      %124 = arith.mulf %123, %cst_47 : f32
      %125 = arith.mulf %in, %124 : f32
      linalg.yield %125 : f32
    } -> tensor<1x26x512xf32>
    %111 = tensor.empty() : tensor<512x128xf32>
    %transposed_41 = linalg.transpose ins(%arg13 : tensor<128x512xf32>) outs(%111 : tensor<512x128xf32>) permutation = [1, 0] 
    %collapsed_42 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<1x26x512xf32> into tensor<26x512xf32>
    %cst_43 = arith.constant 0.000000e+00 : f32
    %112 = tensor.empty() : tensor<26x128xf32>
    %113 = linalg.fill ins(%cst_43 : f32) outs(%112 : tensor<26x128xf32>) -> tensor<26x128xf32>
    %114 = linalg.matmul ins(%collapsed_42, %transposed_41 : tensor<26x512xf32>, tensor<512x128xf32>) outs(%113 : tensor<26x128xf32>) -> tensor<26x128xf32>
    %expanded_44 = tensor.expand_shape %114 [[0, 1], [2]] output_shape [1, 26, 128] : tensor<26x128xf32> into tensor<1x26x128xf32>
    %115 = tensor.empty() : tensor<1x26x128xf32>
    %116 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_44, %arg14 : tensor<1x26x128xf32>, tensor<128xf32>) outs(%115 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %117 = tensor.empty() : tensor<1x26x128xf32>
    %118 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%116, %78 : tensor<1x26x128xf32>, tensor<1x26x128xf32>) outs(%117 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    %119 = tensor.empty() : tensor<1x26x128xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%118, %arg0 : tensor<1x26x128xf32>, tensor<1x26x128xf32>) outs(%119 : tensor<1x26x128xf32>) {
    ^bb0(%in: f32, %in_45: f32, %out: f32):
      %121 = arith.addf %in, %in_45 : f32
      linalg.yield %121 : f32
    } -> tensor<1x26x128xf32>
    return %120 : tensor<1x26x128xf32>
  }
}

