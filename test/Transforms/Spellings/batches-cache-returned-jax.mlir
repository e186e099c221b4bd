// A cache and the keys of a token, put together by a choice of one or the other, which are returned, too
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d3, d2)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map11 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map13 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d4, d3)>
module {
  func.func @main(%arg0: tensor<1x1x16xf32>, %arg1: tensor<1x4xf32>, %arg2: tensor<1x4xf32>, %arg3: tensor<16xf32>, %arg4: tensor<16x16xf32>, %arg5: tensor<16x16xf32>, %arg6: tensor<16x16xf32>, %arg7: tensor<1x2x40x8xf32>, %arg8: tensor<1x2x40x8xf32>, %arg9: tensor<16x16xf32>) -> (tensor<1x1x16xf32>, tensor<1x2x41x8xf32>, tensor<1x2x41x8xf32>) {
    %0 = tensor.empty() : tensor<1x1x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %arg0 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%0 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x16xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %2 = tensor.empty() : tensor<1x1xf32>
    %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x1xf32>) -> tensor<1x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<1x1x16xf32>) outs(%3 : tensor<1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %113 = arith.addf %out, %in : f32
      linalg.yield %113 : f32
    } -> tensor<1x1xf32>
    %expanded = tensor.expand_shape %4 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
    %cst_0 = arith.constant 1.600000e+01 : f32
    %5 = tensor.empty() : tensor<1x1x1xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %7 = tensor.empty() : tensor<1x1x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %6 : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%7 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.divf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x1xf32>
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %9 = tensor.empty() : tensor<1x1x1xf32>
    %10 = linalg.fill ins(%cst_1 : f32) outs(%9 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
    %11 = tensor.empty() : tensor<1x1x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %10 : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%11 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.addf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x1xf32>
    %13 = tensor.empty() : tensor<1x1x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x1x1xf32>) outs(%13 : tensor<1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %113 = math.rsqrt %in : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x1xf32>
    %15 = tensor.empty() : tensor<1x1x16xf32>
    %16 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x1x1xf32>) outs(%15 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x16xf32>
    %17 = tensor.empty() : tensor<1x1x16xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %16 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%17 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x16xf32>
    %19 = tensor.empty() : tensor<1x1x16xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3 : tensor<16xf32>) outs(%19 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x16xf32>
    %21 = tensor.empty() : tensor<1x1x16xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18, %20 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%21 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x16xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %23 = tensor.empty() : tensor<1x1x16xf32>
    %24 = linalg.fill ins(%cst_2 : f32) outs(%23 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %25 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg4 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%24 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x16xf32>
    %expanded_3 = tensor.expand_shape %25 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<1x1x16xf32>
    %27 = linalg.fill ins(%cst_4 : f32) outs(%26 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg5 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%27 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x16xf32>
    %expanded_5 = tensor.expand_shape %28 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
    %cst_6 = arith.constant 0.000000e+00 : f32
    %29 = tensor.empty() : tensor<1x1x16xf32>
    %30 = linalg.fill ins(%cst_6 : f32) outs(%29 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %31 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%22, %arg6 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%30 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x16xf32>
    %expanded_7 = tensor.expand_shape %31 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
    %expanded_8 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %expanded_9 = tensor.expand_shape %arg2 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %extracted_slice = tensor.extract_slice %expanded_3[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %extracted_slice_10 = tensor.extract_slice %expanded_3[0, 0, 0, 4] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %32 = tensor.empty() : tensor<1x1x2x4xf32>
    %33 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x1x4xf32>) outs(%32 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %34 = tensor.empty() : tensor<1x1x2x4xf32>
    %35 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %33 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%34 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %36 = tensor.empty() : tensor<1x1x2x4xf32>
    %37 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x1x1x4xf32>) outs(%36 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %38 = tensor.empty() : tensor<1x1x2x4xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10, %37 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%38 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %40 = tensor.empty() : tensor<1x1x2x4xf32>
    %41 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %39 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%40 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.subf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %42 = tensor.empty() : tensor<1x1x2x4xf32>
    %43 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x1x1x4xf32>) outs(%42 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %44 = tensor.empty() : tensor<1x1x2x4xf32>
    %45 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_10, %43 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%44 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %46 = tensor.empty() : tensor<1x1x2x4xf32>
    %47 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_9 : tensor<1x1x1x4xf32>) outs(%46 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %48 = tensor.empty() : tensor<1x1x2x4xf32>
    %49 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice, %47 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%48 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %50 = tensor.empty() : tensor<1x1x2x4xf32>
    %51 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%50 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.addf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %52 = tensor.empty() : tensor<1x1x2x8xf32>
    %53 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%52 : tensor<1x1x2x8xf32>) {
    ^bb0(%out: f32):
      %113 = linalg.index 0 : index
      %114 = linalg.index 1 : index
      %115 = linalg.index 2 : index
      %116 = linalg.index 3 : index
      %c4 = arith.constant 4 : index
      %117 = arith.cmpi ult, %116, %c4 : index
      %118 = scf.if %117 -> (f32) {
        %c0 = arith.constant 0 : index
        %119 = arith.subi %116, %c0 : index
        %extracted = tensor.extract %41[%113, %114, %115, %119] : tensor<1x1x2x4xf32>
        scf.yield %extracted : f32
      } else {
        %c4_24 = arith.constant 4 : index
        %119 = arith.subi %116, %c4_24 : index
        %extracted = tensor.extract %51[%113, %114, %115, %119] : tensor<1x1x2x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %118 : f32
    } -> tensor<1x1x2x8xf32>
    %expanded_11 = tensor.expand_shape %arg1 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %expanded_12 = tensor.expand_shape %arg2 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
    %extracted_slice_13 = tensor.extract_slice %expanded_5[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %extracted_slice_14 = tensor.extract_slice %expanded_5[0, 0, 0, 4] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
    %54 = tensor.empty() : tensor<1x1x2x4xf32>
    %55 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x1x1x4xf32>) outs(%54 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %56 = tensor.empty() : tensor<1x1x2x4xf32>
    %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13, %55 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%56 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %58 = tensor.empty() : tensor<1x1x2x4xf32>
    %59 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x1x1x4xf32>) outs(%58 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %60 = tensor.empty() : tensor<1x1x2x4xf32>
    %61 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14, %59 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%60 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %62 = tensor.empty() : tensor<1x1x2x4xf32>
    %63 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%62 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.subf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %64 = tensor.empty() : tensor<1x1x2x4xf32>
    %65 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<1x1x1x4xf32>) outs(%64 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %66 = tensor.empty() : tensor<1x1x2x4xf32>
    %67 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_14, %65 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%66 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %68 = tensor.empty() : tensor<1x1x2x4xf32>
    %69 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_12 : tensor<1x1x1x4xf32>) outs(%68 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x1x2x4xf32>
    %70 = tensor.empty() : tensor<1x1x2x4xf32>
    %71 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_13, %69 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%70 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %72 = tensor.empty() : tensor<1x1x2x4xf32>
    %73 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %71 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%72 : tensor<1x1x2x4xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.addf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x4xf32>
    %74 = tensor.empty() : tensor<1x1x2x8xf32>
    %75 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%74 : tensor<1x1x2x8xf32>) {
    ^bb0(%out: f32):
      %113 = linalg.index 0 : index
      %114 = linalg.index 1 : index
      %115 = linalg.index 2 : index
      %116 = linalg.index 3 : index
      %c4 = arith.constant 4 : index
      %117 = arith.cmpi ult, %116, %c4 : index
      %118 = scf.if %117 -> (f32) {
        %c0 = arith.constant 0 : index
        %119 = arith.subi %116, %c0 : index
        %extracted = tensor.extract %63[%113, %114, %115, %119] : tensor<1x1x2x4xf32>
        scf.yield %extracted : f32
      } else {
        %c4_24 = arith.constant 4 : index
        %119 = arith.subi %116, %c4_24 : index
        %extracted = tensor.extract %73[%113, %114, %115, %119] : tensor<1x1x2x4xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %118 : f32
    } -> tensor<1x1x2x8xf32>
    %76 = tensor.empty() : tensor<1x2x1x8xf32>
    %transposed = linalg.transpose ins(%75 : tensor<1x1x2x8xf32>) outs(%76 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %77 = tensor.empty() : tensor<1x2x1x8xf32>
    %transposed_15 = linalg.transpose ins(%expanded_7 : tensor<1x1x2x8xf32>) outs(%77 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
    %78 = tensor.empty() : tensor<1x2x41x8xf32>
    %79 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%78 : tensor<1x2x41x8xf32>) {
    ^bb0(%out: f32):
      %113 = linalg.index 0 : index
      %114 = linalg.index 1 : index
      %115 = linalg.index 2 : index
      %116 = linalg.index 3 : index
      %c40 = arith.constant 40 : index
      %117 = arith.cmpi ult, %115, %c40 : index
      %118 = scf.if %117 -> (f32) {
        %c0 = arith.constant 0 : index
        %119 = arith.subi %115, %c0 : index
        %extracted = tensor.extract %arg7[%113, %114, %119, %116] : tensor<1x2x40x8xf32>
        scf.yield %extracted : f32
      } else {
        %c40_24 = arith.constant 40 : index
        %119 = arith.subi %115, %c40_24 : index
        %extracted = tensor.extract %transposed[%113, %114, %119, %116] : tensor<1x2x1x8xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %118 : f32
    } -> tensor<1x2x41x8xf32>
    %80 = tensor.empty() : tensor<1x2x41x8xf32>
    %81 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%80 : tensor<1x2x41x8xf32>) {
    ^bb0(%out: f32):
      %113 = linalg.index 0 : index
      %114 = linalg.index 1 : index
      %115 = linalg.index 2 : index
      %116 = linalg.index 3 : index
      %c40 = arith.constant 40 : index
      %117 = arith.cmpi ult, %115, %c40 : index
      %118 = scf.if %117 -> (f32) {
        %c0 = arith.constant 0 : index
        %119 = arith.subi %115, %c0 : index
        %extracted = tensor.extract %arg8[%113, %114, %119, %116] : tensor<1x2x40x8xf32>
        scf.yield %extracted : f32
      } else {
        %c40_24 = arith.constant 40 : index
        %119 = arith.subi %115, %c40_24 : index
        %extracted = tensor.extract %transposed_15[%113, %114, %119, %116] : tensor<1x2x1x8xf32>
        scf.yield %extracted : f32
      }
      linalg.yield %118 : f32
    } -> tensor<1x2x41x8xf32>
    %cst_16 = arith.constant 0.353553385 : f32
    %82 = tensor.empty() : tensor<1x1x2x8xf32>
    %83 = linalg.fill ins(%cst_16 : f32) outs(%82 : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
    %84 = tensor.empty() : tensor<1x1x2x8xf32>
    %85 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %83 : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>) outs(%84 : tensor<1x1x2x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x2x8xf32>
    %cst_17 = arith.constant 0.000000e+00 : f32
    %86 = tensor.empty() : tensor<1x2x1x41xf32>
    %87 = linalg.fill ins(%cst_17 : f32) outs(%86 : tensor<1x2x1x41xf32>) -> tensor<1x2x1x41xf32>
    %88 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%85, %79 : tensor<1x1x2x8xf32>, tensor<1x2x41x8xf32>) outs(%87 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x2x1x41xf32>
    %cst_18 = arith.constant 0xFF800000 : f32
    %89 = tensor.empty() : tensor<1x2x1xf32>
    %90 = linalg.fill ins(%cst_18 : f32) outs(%89 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %91 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%88 : tensor<1x2x1x41xf32>) outs(%90 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %113 = arith.maximumf %out, %in : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x1xf32>
    %expanded_19 = tensor.expand_shape %91 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %92 = tensor.empty() : tensor<1x2x1x41xf32>
    %93 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<1x2x1x1xf32>) outs(%92 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x41xf32>
    %94 = tensor.empty() : tensor<1x2x1x41xf32>
    %95 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88, %93 : tensor<1x2x1x41xf32>, tensor<1x2x1x41xf32>) outs(%94 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.subf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x1x41xf32>
    %96 = tensor.empty() : tensor<1x2x1x41xf32>
    %97 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<1x2x1x41xf32>) outs(%96 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      %113 = math.exp %in : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x1x41xf32>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %98 = tensor.empty() : tensor<1x2x1xf32>
    %99 = linalg.fill ins(%cst_20 : f32) outs(%98 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
    %100 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%97 : tensor<1x2x1x41xf32>) outs(%99 : tensor<1x2x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %113 = arith.addf %out, %in : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x1xf32>
    %expanded_21 = tensor.expand_shape %100 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
    %101 = tensor.empty() : tensor<1x2x1x41xf32>
    %102 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_21 : tensor<1x2x1x1xf32>) outs(%101 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x1x41xf32>
    %103 = tensor.empty() : tensor<1x2x1x41xf32>
    %104 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97, %102 : tensor<1x2x1x41xf32>, tensor<1x2x1x41xf32>) outs(%103 : tensor<1x2x1x41xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.divf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x2x1x41xf32>
    %cst_22 = arith.constant 0.000000e+00 : f32
    %105 = tensor.empty() : tensor<1x1x2x8xf32>
    %106 = linalg.fill ins(%cst_22 : f32) outs(%105 : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
    %107 = linalg.generic {indexing_maps = [#map9, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%104, %81 : tensor<1x2x1x41xf32>, tensor<1x2x41x8xf32>) outs(%106 : tensor<1x1x2x8xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x2x8xf32>
    %collapsed = tensor.collapse_shape %107 [[0], [1], [2, 3]] : tensor<1x1x2x8xf32> into tensor<1x1x16xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %108 = tensor.empty() : tensor<1x1x16xf32>
    %109 = linalg.fill ins(%cst_23 : f32) outs(%108 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
    %110 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed, %arg9 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%109 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.mulf %in, %in_24 : f32
      %114 = arith.addf %out, %113 : f32
      linalg.yield %114 : f32
    } -> tensor<1x1x16xf32>
    %111 = tensor.empty() : tensor<1x1x16xf32>
    %112 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %110 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%111 : tensor<1x1x16xf32>) {
    ^bb0(%in: f32, %in_24: f32, %out: f32):
      %113 = arith.addf %in, %in_24 : f32
      linalg.yield %113 : f32
    } -> tensor<1x1x16xf32>
    return %112, %79, %81 : tensor<1x1x16xf32>, tensor<1x2x41x8xf32>, tensor<1x2x41x8xf32>
  }
}

