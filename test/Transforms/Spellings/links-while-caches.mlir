// Layers with caches in one tensor, in a loop that counts: what it writes is put together behind all kernels
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
#map14 = affine_map<() -> ()>
module {
  func.func @main(%arg0: tensor<1x1x16xf32>, %arg1: tensor<2x16xf32>, %arg2: tensor<2x16x16xf32>, %arg3: tensor<2x16x16xf32>, %arg4: tensor<2x16x16xf32>, %arg5: tensor<2x1x2x40x8xf32>, %arg6: tensor<2x1x2x40x8xf32>, %arg7: tensor<2x16x16xf32>, %arg8: tensor<1x4xf32>, %arg9: tensor<1x4xf32>) -> (tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>) {
    %cst = arith.constant dense<0> : tensor<i32>
    %cst_0 = arith.constant dense<2> : tensor<i32>
    %cst_1 = arith.constant dense<1> : tensor<i32>
    %0 = tensor.empty() : tensor<2x1x2x41x8xf32>
    %cst_2 = arith.constant 0.000000e+00 : f32
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<2x1x2x41x8xf32>) -> tensor<2x1x2x41x8xf32>
    %2 = tensor.empty() : tensor<2x1x2x41x8xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %3 = linalg.fill ins(%cst_3 : f32) outs(%2 : tensor<2x1x2x41x8xf32>) -> tensor<2x1x2x41x8xf32>
    %4:4 = scf.while (%arg10 = %cst, %arg11 = %arg0, %arg12 = %1, %arg13 = %3) : (tensor<i32>, tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>) -> (tensor<i32>, tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>) {
      %extracted = tensor.extract %arg10[] : tensor<i32>
      %extracted_4 = tensor.extract %cst_0[] : tensor<i32>
      %5 = arith.cmpi slt, %extracted, %extracted_4 : i32
      scf.condition(%5) %arg10, %arg11, %arg12, %arg13 : tensor<i32>, tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>
    } do {
    ^bb0(%arg10: tensor<i32>, %arg11: tensor<1x1x16xf32>, %arg12: tensor<2x1x2x41x8xf32>, %arg13: tensor<2x1x2x41x8xf32>):
      %extracted = tensor.extract %arg10[] : tensor<i32>
      %c0_i32 = arith.constant 0 : i32
      %c1_i32 = arith.constant 1 : i32
      %5 = arith.maxsi %extracted, %c0_i32 : i32
      %6 = arith.minsi %5, %c1_i32 : i32
      %7 = arith.index_cast %6 : i32 to index
      %extracted_slice = tensor.extract_slice %arg1[%7, 0] [1, 16] [1, 1] : tensor<2x16xf32> to tensor<1x16xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
      %extracted_slice_4 = tensor.extract_slice %arg2[%7, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<2x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %extracted_slice_6 = tensor.extract_slice %arg3[%7, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<2x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %extracted_slice_8 = tensor.extract_slice %arg4[%7, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<2x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_9 = tensor.collapse_shape %extracted_slice_8 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %extracted_slice_10 = tensor.extract_slice %arg5[%7, 0, 0, 0, 0] [1, 1, 2, 40, 8] [1, 1, 1, 1, 1] : tensor<2x1x2x40x8xf32> to tensor<1x1x2x40x8xf32>
      %collapsed_11 = tensor.collapse_shape %extracted_slice_10 [[0, 1], [2], [3], [4]] : tensor<1x1x2x40x8xf32> into tensor<1x2x40x8xf32>
      %extracted_slice_12 = tensor.extract_slice %arg6[%7, 0, 0, 0, 0] [1, 1, 2, 40, 8] [1, 1, 1, 1, 1] : tensor<2x1x2x40x8xf32> to tensor<1x1x2x40x8xf32>
      %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [[0, 1], [2], [3], [4]] : tensor<1x1x2x40x8xf32> into tensor<1x2x40x8xf32>
      %extracted_slice_14 = tensor.extract_slice %arg7[%7, 0, 0] [1, 16, 16] [1, 1, 1] : tensor<2x16x16xf32> to tensor<1x16x16xf32>
      %collapsed_15 = tensor.collapse_shape %extracted_slice_14 [[0, 1], [2]] : tensor<1x16x16xf32> into tensor<16x16xf32>
      %8 = tensor.empty() : tensor<1x1x16xf32>
      %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %arg11 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%8 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x16xf32>
      %cst_16 = arith.constant 0.000000e+00 : f32
      %10 = tensor.empty() : tensor<1x1xf32>
      %11 = linalg.fill ins(%cst_16 : f32) outs(%10 : tensor<1x1xf32>) -> tensor<1x1xf32>
      %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x1x16xf32>) outs(%11 : tensor<1x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %123 = arith.addf %out, %in : f32
        linalg.yield %123 : f32
      } -> tensor<1x1xf32>
      %expanded = tensor.expand_shape %12 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
      %cst_17 = arith.constant 1.600000e+01 : f32
      %13 = tensor.empty() : tensor<1x1x1xf32>
      %14 = linalg.fill ins(%cst_17 : f32) outs(%13 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      %15 = tensor.empty() : tensor<1x1x1xf32>
      %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %14 : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%15 : tensor<1x1x1xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.divf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x1xf32>
      %cst_18 = arith.constant 9.99999974E-6 : f32
      %17 = tensor.empty() : tensor<1x1x1xf32>
      %18 = linalg.fill ins(%cst_18 : f32) outs(%17 : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      %19 = tensor.empty() : tensor<1x1x1xf32>
      %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %18 : tensor<1x1x1xf32>, tensor<1x1x1xf32>) outs(%19 : tensor<1x1x1xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.addf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x1xf32>
      %21 = tensor.empty() : tensor<1x1x1xf32>
      %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<1x1x1xf32>) outs(%21 : tensor<1x1x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %123 = math.rsqrt %in : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x1xf32>
      %23 = tensor.empty() : tensor<1x1x16xf32>
      %24 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<1x1x1xf32>) outs(%23 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x16xf32>
      %25 = tensor.empty() : tensor<1x1x16xf32>
      %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %24 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%25 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x16xf32>
      %27 = tensor.empty() : tensor<1x1x16xf32>
      %28 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%collapsed : tensor<16xf32>) outs(%27 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x16xf32>
      %29 = tensor.empty() : tensor<1x1x16xf32>
      %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %28 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%29 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x16xf32>
      %cst_19 = arith.constant 0.000000e+00 : f32
      %31 = tensor.empty() : tensor<1x1x16xf32>
      %32 = linalg.fill ins(%cst_19 : f32) outs(%31 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
      %33 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30, %collapsed_5 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%32 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x1x16xf32>
      %expanded_20 = tensor.expand_shape %33 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
      %cst_21 = arith.constant 0.000000e+00 : f32
      %34 = tensor.empty() : tensor<1x1x16xf32>
      %35 = linalg.fill ins(%cst_21 : f32) outs(%34 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
      %36 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30, %collapsed_7 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%35 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x1x16xf32>
      %expanded_22 = tensor.expand_shape %36 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
      %cst_23 = arith.constant 0.000000e+00 : f32
      %37 = tensor.empty() : tensor<1x1x16xf32>
      %38 = linalg.fill ins(%cst_23 : f32) outs(%37 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
      %39 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%30, %collapsed_9 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%38 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x1x16xf32>
      %expanded_24 = tensor.expand_shape %39 [[0], [1], [2, 3]] output_shape [1, 1, 2, 8] : tensor<1x1x16xf32> into tensor<1x1x2x8xf32>
      %expanded_25 = tensor.expand_shape %arg8 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
      %expanded_26 = tensor.expand_shape %arg9 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
      %extracted_slice_27 = tensor.extract_slice %expanded_20[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
      %extracted_slice_28 = tensor.extract_slice %expanded_20[0, 0, 0, 4] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
      %40 = tensor.empty() : tensor<1x1x2x4xf32>
      %41 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x1x1x4xf32>) outs(%40 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %42 = tensor.empty() : tensor<1x1x2x4xf32>
      %43 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_27, %41 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%42 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %44 = tensor.empty() : tensor<1x1x2x4xf32>
      %45 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x1x1x4xf32>) outs(%44 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %46 = tensor.empty() : tensor<1x1x2x4xf32>
      %47 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28, %45 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%46 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %48 = tensor.empty() : tensor<1x1x2x4xf32>
      %49 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %47 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%48 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.subf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %50 = tensor.empty() : tensor<1x1x2x4xf32>
      %51 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_25 : tensor<1x1x1x4xf32>) outs(%50 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %52 = tensor.empty() : tensor<1x1x2x4xf32>
      %53 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28, %51 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%52 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %54 = tensor.empty() : tensor<1x1x2x4xf32>
      %55 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x1x1x4xf32>) outs(%54 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %56 = tensor.empty() : tensor<1x1x2x4xf32>
      %57 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_27, %55 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%56 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %58 = tensor.empty() : tensor<1x1x2x4xf32>
      %59 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %57 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%58 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.addf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %60 = tensor.empty() : tensor<1x1x2x8xf32>
      %61 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%60 : tensor<1x1x2x8xf32>) {
      ^bb0(%out: f32):
        %123 = linalg.index 0 : index
        %124 = linalg.index 1 : index
        %125 = linalg.index 2 : index
        %126 = linalg.index 3 : index
        %c4 = arith.constant 4 : index
        %127 = arith.cmpi ult, %126, %c4 : index
        %128 = scf.if %127 -> (f32) {
          %c0 = arith.constant 0 : index
          %129 = arith.subi %126, %c0 : index
          %extracted_44 = tensor.extract %49[%123, %124, %125, %129] : tensor<1x1x2x4xf32>
          scf.yield %extracted_44 : f32
        } else {
          %c4_44 = arith.constant 4 : index
          %129 = arith.subi %126, %c4_44 : index
          %extracted_45 = tensor.extract %59[%123, %124, %125, %129] : tensor<1x1x2x4xf32>
          scf.yield %extracted_45 : f32
        }
        linalg.yield %128 : f32
      } -> tensor<1x1x2x8xf32>
      %expanded_29 = tensor.expand_shape %arg8 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
      %expanded_30 = tensor.expand_shape %arg9 [[0], [1, 2, 3]] output_shape [1, 1, 1, 4] : tensor<1x4xf32> into tensor<1x1x1x4xf32>
      %extracted_slice_31 = tensor.extract_slice %expanded_22[0, 0, 0, 0] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
      %extracted_slice_32 = tensor.extract_slice %expanded_22[0, 0, 0, 4] [1, 1, 2, 4] [1, 1, 1, 1] : tensor<1x1x2x8xf32> to tensor<1x1x2x4xf32>
      %62 = tensor.empty() : tensor<1x1x2x4xf32>
      %63 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<1x1x1x4xf32>) outs(%62 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %64 = tensor.empty() : tensor<1x1x2x4xf32>
      %65 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_31, %63 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%64 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %66 = tensor.empty() : tensor<1x1x2x4xf32>
      %67 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x1x1x4xf32>) outs(%66 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %68 = tensor.empty() : tensor<1x1x2x4xf32>
      %69 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_32, %67 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%68 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %70 = tensor.empty() : tensor<1x1x2x4xf32>
      %71 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65, %69 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%70 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.subf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %72 = tensor.empty() : tensor<1x1x2x4xf32>
      %73 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29 : tensor<1x1x1x4xf32>) outs(%72 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %74 = tensor.empty() : tensor<1x1x2x4xf32>
      %75 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_32, %73 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%74 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %76 = tensor.empty() : tensor<1x1x2x4xf32>
      %77 = linalg.generic {indexing_maps = [#map7, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<1x1x1x4xf32>) outs(%76 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x1x2x4xf32>
      %78 = tensor.empty() : tensor<1x1x2x4xf32>
      %79 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_31, %77 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%78 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %80 = tensor.empty() : tensor<1x1x2x4xf32>
      %81 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %79 : tensor<1x1x2x4xf32>, tensor<1x1x2x4xf32>) outs(%80 : tensor<1x1x2x4xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.addf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x4xf32>
      %82 = tensor.empty() : tensor<1x1x2x8xf32>
      %83 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%82 : tensor<1x1x2x8xf32>) {
      ^bb0(%out: f32):
        %123 = linalg.index 0 : index
        %124 = linalg.index 1 : index
        %125 = linalg.index 2 : index
        %126 = linalg.index 3 : index
        %c4 = arith.constant 4 : index
        %127 = arith.cmpi ult, %126, %c4 : index
        %128 = scf.if %127 -> (f32) {
          %c0 = arith.constant 0 : index
          %129 = arith.subi %126, %c0 : index
          %extracted_44 = tensor.extract %71[%123, %124, %125, %129] : tensor<1x1x2x4xf32>
          scf.yield %extracted_44 : f32
        } else {
          %c4_44 = arith.constant 4 : index
          %129 = arith.subi %126, %c4_44 : index
          %extracted_45 = tensor.extract %81[%123, %124, %125, %129] : tensor<1x1x2x4xf32>
          scf.yield %extracted_45 : f32
        }
        linalg.yield %128 : f32
      } -> tensor<1x1x2x8xf32>
      %84 = tensor.empty() : tensor<1x2x1x8xf32>
      %transposed = linalg.transpose ins(%83 : tensor<1x1x2x8xf32>) outs(%84 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
      %85 = tensor.empty() : tensor<1x2x1x8xf32>
      %transposed_33 = linalg.transpose ins(%expanded_24 : tensor<1x1x2x8xf32>) outs(%85 : tensor<1x2x1x8xf32>) permutation = [0, 2, 1, 3] 
      %86 = tensor.empty() : tensor<1x2x41x8xf32>
      %87 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%86 : tensor<1x2x41x8xf32>) {
      ^bb0(%out: f32):
        %123 = linalg.index 0 : index
        %124 = linalg.index 1 : index
        %125 = linalg.index 2 : index
        %126 = linalg.index 3 : index
        %c40 = arith.constant 40 : index
        %127 = arith.cmpi ult, %125, %c40 : index
        %128 = scf.if %127 -> (f32) {
          %c0 = arith.constant 0 : index
          %129 = arith.subi %125, %c0 : index
          %extracted_44 = tensor.extract %collapsed_11[%123, %124, %129, %126] : tensor<1x2x40x8xf32>
          scf.yield %extracted_44 : f32
        } else {
          %c40_44 = arith.constant 40 : index
          %129 = arith.subi %125, %c40_44 : index
          %extracted_45 = tensor.extract %transposed[%123, %124, %129, %126] : tensor<1x2x1x8xf32>
          scf.yield %extracted_45 : f32
        }
        linalg.yield %128 : f32
      } -> tensor<1x2x41x8xf32>
      %88 = tensor.empty() : tensor<1x2x41x8xf32>
      %89 = linalg.generic {indexing_maps = [#map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%88 : tensor<1x2x41x8xf32>) {
      ^bb0(%out: f32):
        %123 = linalg.index 0 : index
        %124 = linalg.index 1 : index
        %125 = linalg.index 2 : index
        %126 = linalg.index 3 : index
        %c40 = arith.constant 40 : index
        %127 = arith.cmpi ult, %125, %c40 : index
        %128 = scf.if %127 -> (f32) {
          %c0 = arith.constant 0 : index
          %129 = arith.subi %125, %c0 : index
          %extracted_44 = tensor.extract %collapsed_13[%123, %124, %129, %126] : tensor<1x2x40x8xf32>
          scf.yield %extracted_44 : f32
        } else {
          %c40_44 = arith.constant 40 : index
          %129 = arith.subi %125, %c40_44 : index
          %extracted_45 = tensor.extract %transposed_33[%123, %124, %129, %126] : tensor<1x2x1x8xf32>
          scf.yield %extracted_45 : f32
        }
        linalg.yield %128 : f32
      } -> tensor<1x2x41x8xf32>
      %cst_34 = arith.constant 0.353553385 : f32
      %90 = tensor.empty() : tensor<1x1x2x8xf32>
      %91 = linalg.fill ins(%cst_34 : f32) outs(%90 : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
      %92 = tensor.empty() : tensor<1x1x2x8xf32>
      %93 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %91 : tensor<1x1x2x8xf32>, tensor<1x1x2x8xf32>) outs(%92 : tensor<1x1x2x8xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x2x8xf32>
      %cst_35 = arith.constant 0.000000e+00 : f32
      %94 = tensor.empty() : tensor<1x2x1x41xf32>
      %95 = linalg.fill ins(%cst_35 : f32) outs(%94 : tensor<1x2x1x41xf32>) -> tensor<1x2x1x41xf32>
      %96 = linalg.generic {indexing_maps = [#map9, #map10, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%93, %87 : tensor<1x1x2x8xf32>, tensor<1x2x41x8xf32>) outs(%95 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x2x1x41xf32>
      %cst_36 = arith.constant 0xFF800000 : f32
      %97 = tensor.empty() : tensor<1x2x1xf32>
      %98 = linalg.fill ins(%cst_36 : f32) outs(%97 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      %99 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%96 : tensor<1x2x1x41xf32>) outs(%98 : tensor<1x2x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %123 = arith.maximumf %out, %in : f32
        linalg.yield %123 : f32
      } -> tensor<1x2x1xf32>
      %expanded_37 = tensor.expand_shape %99 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
      %100 = tensor.empty() : tensor<1x2x1x41xf32>
      %101 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<1x2x1x1xf32>) outs(%100 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x2x1x41xf32>
      %102 = tensor.empty() : tensor<1x2x1x41xf32>
      %103 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %101 : tensor<1x2x1x41xf32>, tensor<1x2x1x41xf32>) outs(%102 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.subf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x2x1x41xf32>
      %104 = tensor.empty() : tensor<1x2x1x41xf32>
      %105 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103 : tensor<1x2x1x41xf32>) outs(%104 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %out: f32):
        %123 = math.exp %in : f32
        linalg.yield %123 : f32
      } -> tensor<1x2x1x41xf32>
      %cst_38 = arith.constant 0.000000e+00 : f32
      %106 = tensor.empty() : tensor<1x2x1xf32>
      %107 = linalg.fill ins(%cst_38 : f32) outs(%106 : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      %108 = linalg.generic {indexing_maps = [#map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%105 : tensor<1x2x1x41xf32>) outs(%107 : tensor<1x2x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %123 = arith.addf %out, %in : f32
        linalg.yield %123 : f32
      } -> tensor<1x2x1xf32>
      %expanded_39 = tensor.expand_shape %108 [[0], [1], [2, 3]] output_shape [1, 2, 1, 1] : tensor<1x2x1xf32> into tensor<1x2x1x1xf32>
      %109 = tensor.empty() : tensor<1x2x1x41xf32>
      %110 = linalg.generic {indexing_maps = [#map12, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_39 : tensor<1x2x1x1xf32>) outs(%109 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x2x1x41xf32>
      %111 = tensor.empty() : tensor<1x2x1x41xf32>
      %112 = linalg.generic {indexing_maps = [#map8, #map8, #map8], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %110 : tensor<1x2x1x41xf32>, tensor<1x2x1x41xf32>) outs(%111 : tensor<1x2x1x41xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.divf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x2x1x41xf32>
      %cst_40 = arith.constant 0.000000e+00 : f32
      %113 = tensor.empty() : tensor<1x1x2x8xf32>
      %114 = linalg.fill ins(%cst_40 : f32) outs(%113 : tensor<1x1x2x8xf32>) -> tensor<1x1x2x8xf32>
      %115 = linalg.generic {indexing_maps = [#map9, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%112, %89 : tensor<1x2x1x41xf32>, tensor<1x2x41x8xf32>) outs(%114 : tensor<1x1x2x8xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x1x2x8xf32>
      %collapsed_41 = tensor.collapse_shape %115 [[0], [1], [2, 3]] : tensor<1x1x2x8xf32> into tensor<1x1x16xf32>
      %cst_42 = arith.constant 0.000000e+00 : f32
      %116 = tensor.empty() : tensor<1x1x16xf32>
      %117 = linalg.fill ins(%cst_42 : f32) outs(%116 : tensor<1x1x16xf32>) -> tensor<1x1x16xf32>
      %118 = linalg.generic {indexing_maps = [#map4, #map5, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%collapsed_41, %collapsed_15 : tensor<1x1x16xf32>, tensor<16x16xf32>) outs(%117 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.mulf %in, %in_44 : f32
        %124 = arith.addf %out, %123 : f32
        linalg.yield %124 : f32
      } -> tensor<1x1x16xf32>
      %119 = tensor.empty() : tensor<1x1x16xf32>
      %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg11, %118 : tensor<1x1x16xf32>, tensor<1x1x16xf32>) outs(%119 : tensor<1x1x16xf32>) {
      ^bb0(%in: f32, %in_44: f32, %out: f32):
        %123 = arith.addf %in, %in_44 : f32
        linalg.yield %123 : f32
      } -> tensor<1x1x16xf32>
      %inserted_slice = tensor.insert_slice %87 into %arg12[%7, 0, 0, 0, 0] [1, 1, 2, 41, 8] [1, 1, 1, 1, 1] : tensor<1x2x41x8xf32> into tensor<2x1x2x41x8xf32>
      %inserted_slice_43 = tensor.insert_slice %89 into %arg13[%7, 0, 0, 0, 0] [1, 1, 2, 41, 8] [1, 1, 1, 1, 1] : tensor<1x2x41x8xf32> into tensor<2x1x2x41x8xf32>
      %121 = tensor.empty() : tensor<i32>
      %122 = linalg.generic {indexing_maps = [#map14, #map14, #map14], iterator_types = []} ins(%arg10, %cst_1 : tensor<i32>, tensor<i32>) outs(%121 : tensor<i32>) {
      ^bb0(%in: i32, %in_44: i32, %out: i32):
        %123 = arith.addi %in, %in_44 : i32
        linalg.yield %123 : i32
      } -> tensor<i32>
      scf.yield %122, %120, %inserted_slice, %inserted_slice_43 : tensor<i32>, tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>
    }
    return %4#1, %4#2, %4#3 : tensor<1x1x16xf32>, tensor<2x1x2x41x8xf32>, tensor<2x1x2x41x8xf32>
  }
}

