// The residual of an image is added to the transpose of what a kernel computes, which read that image transposed: a kernel of its own.
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
  func.func @main(%arg0: tensor<1x64x6x6xf32>, %arg1: tensor<1x11x40xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x40xf32>, %arg6: tensor<64x40xf32>, %arg7: tensor<64x64xf32>, %arg8: tensor<64xf32>, %arg9: tensor<64x64xf32>, %arg10: tensor<64xf32>) -> tensor<1x64x6x6xf32> {
    %collapsed = tensor.collapse_shape %arg0 [[0], [1], [2, 3]] : tensor<1x64x6x6xf32> into tensor<1x64x36xf32>
    %0 = tensor.empty() : tensor<1x36x64xf32>
    %transposed = linalg.transpose ins(%collapsed : tensor<1x64x36xf32>) outs(%0 : tensor<1x36x64xf32>) permutation = [0, 2, 1] 
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<1x36x1xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<1x36x1xf32>) -> tensor<1x36x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%transposed : tensor<1x36x64xf32>) outs(%2 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %4 = tensor.empty() : tensor<1x36x1xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<1x36x1xf32>) outs(%4 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_41 = arith.constant 6.400000e+01 : f32
      %79 = arith.divf %in, %cst_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %6 = tensor.empty() : tensor<1x36x64xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed, %5 : tensor<1x36x64xf32>, tensor<1x36x1xf32>) outs(%6 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.subf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %8 = tensor.empty() : tensor<1x36x64xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %7 : tensor<1x36x64xf32>, tensor<1x36x64xf32>) outs(%8 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.mulf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<1x36x1xf32>
    %11 = linalg.fill ins(%cst_0 : f32) outs(%10 : tensor<1x36x1xf32>) -> tensor<1x36x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<1x36x64xf32>) outs(%11 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %13 = tensor.empty() : tensor<1x36x1xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<1x36x1xf32>) outs(%13 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_41 = arith.constant 6.400000e+01 : f32
      %79 = arith.divf %in, %cst_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %15 = tensor.empty() : tensor<1x36x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x36x1xf32>) outs(%15 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_41 = arith.constant 9.99999974E-6 : f32
      %79 = arith.addf %in, %cst_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %17 = tensor.empty() : tensor<1x36x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16 : tensor<1x36x1xf32>) outs(%17 : tensor<1x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.rsqrt %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x1xf32>
    %19 = tensor.empty() : tensor<1x36x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %18 : tensor<1x36x64xf32>, tensor<1x36x1xf32>) outs(%19 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.mulf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %21 = tensor.empty() : tensor<1x36x64xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg2 : tensor<1x36x64xf32>, tensor<64xf32>) outs(%21 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.mulf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %23 = tensor.empty() : tensor<1x36x64xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22, %arg3 : tensor<1x36x64xf32>, tensor<64xf32>) outs(%23 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.addf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %25 = tensor.empty() : tensor<64x64xf32>
    %transposed_1 = linalg.transpose ins(%arg4 : tensor<64x64xf32>) outs(%25 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_2 = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<1x36x64xf32> into tensor<36x64xf32>
    %cst_3 = arith.constant 0.000000e+00 : f32
    %26 = tensor.empty() : tensor<36x64xf32>
    %27 = linalg.fill ins(%cst_3 : f32) outs(%26 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %28 = linalg.matmul ins(%collapsed_2, %transposed_1 : tensor<36x64xf32>, tensor<64x64xf32>) outs(%27 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %expanded = tensor.expand_shape %28 [[0, 1], [2]] output_shape [1, 36, 64] : tensor<36x64xf32> into tensor<1x36x64xf32>
    %expanded_4 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 36, 2, 32] : tensor<1x36x64xf32> into tensor<1x36x2x32xf32>
    %29 = tensor.empty() : tensor<1x2x36x32xf32>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<1x36x2x32xf32>) outs(%29 : tensor<1x2x36x32xf32>) permutation = [0, 2, 1, 3] 
    %30 = tensor.empty() : tensor<40x64xf32>
    %transposed_6 = linalg.transpose ins(%arg5 : tensor<64x40xf32>) outs(%30 : tensor<40x64xf32>) permutation = [1, 0] 
    %collapsed_7 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x11x40xf32> into tensor<11x40xf32>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %31 = tensor.empty() : tensor<11x64xf32>
    %32 = linalg.fill ins(%cst_8 : f32) outs(%31 : tensor<11x64xf32>) -> tensor<11x64xf32>
    %33 = linalg.matmul ins(%collapsed_7, %transposed_6 : tensor<11x40xf32>, tensor<40x64xf32>) outs(%32 : tensor<11x64xf32>) -> tensor<11x64xf32>
    %expanded_9 = tensor.expand_shape %33 [[0, 1], [2]] output_shape [1, 11, 64] : tensor<11x64xf32> into tensor<1x11x64xf32>
    %expanded_10 = tensor.expand_shape %expanded_9 [[0], [1], [2, 3]] output_shape [1, 11, 2, 32] : tensor<1x11x64xf32> into tensor<1x11x2x32xf32>
    %34 = tensor.empty() : tensor<1x2x11x32xf32>
    %transposed_11 = linalg.transpose ins(%expanded_10 : tensor<1x11x2x32xf32>) outs(%34 : tensor<1x2x11x32xf32>) permutation = [0, 2, 1, 3] 
    %35 = tensor.empty() : tensor<40x64xf32>
    %transposed_12 = linalg.transpose ins(%arg6 : tensor<64x40xf32>) outs(%35 : tensor<40x64xf32>) permutation = [1, 0] 
    %collapsed_13 = tensor.collapse_shape %arg1 [[0, 1], [2]] : tensor<1x11x40xf32> into tensor<11x40xf32>
    %cst_14 = arith.constant 0.000000e+00 : f32
    %36 = tensor.empty() : tensor<11x64xf32>
    %37 = linalg.fill ins(%cst_14 : f32) outs(%36 : tensor<11x64xf32>) -> tensor<11x64xf32>
    %38 = linalg.matmul ins(%collapsed_13, %transposed_12 : tensor<11x40xf32>, tensor<40x64xf32>) outs(%37 : tensor<11x64xf32>) -> tensor<11x64xf32>
    %expanded_15 = tensor.expand_shape %38 [[0, 1], [2]] output_shape [1, 11, 64] : tensor<11x64xf32> into tensor<1x11x64xf32>
    %expanded_16 = tensor.expand_shape %expanded_15 [[0], [1], [2, 3]] output_shape [1, 11, 2, 32] : tensor<1x11x64xf32> into tensor<1x11x2x32xf32>
    %39 = tensor.empty() : tensor<1x2x11x32xf32>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<1x11x2x32xf32>) outs(%39 : tensor<1x2x11x32xf32>) permutation = [0, 2, 1, 3] 
    %40 = tensor.empty() : tensor<1x2x32x11xf32>
    %transposed_18 = linalg.transpose ins(%transposed_11 : tensor<1x2x11x32xf32>) outs(%40 : tensor<1x2x32x11xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_19 = tensor.collapse_shape %transposed_5 [[0, 1], [2], [3]] : tensor<1x2x36x32xf32> into tensor<2x36x32xf32>
    %collapsed_20 = tensor.collapse_shape %transposed_18 [[0, 1], [2], [3]] : tensor<1x2x32x11xf32> into tensor<2x32x11xf32>
    %cst_21 = arith.constant 0.000000e+00 : f32
    %41 = tensor.empty() : tensor<2x36x11xf32>
    %42 = linalg.fill ins(%cst_21 : f32) outs(%41 : tensor<2x36x11xf32>) -> tensor<2x36x11xf32>
    %43 = linalg.batch_matmul ins(%collapsed_19, %collapsed_20 : tensor<2x36x32xf32>, tensor<2x32x11xf32>) outs(%42 : tensor<2x36x11xf32>) -> tensor<2x36x11xf32>
    %expanded_22 = tensor.expand_shape %43 [[0, 1], [2], [3]] output_shape [1, 2, 36, 11] : tensor<2x36x11xf32> into tensor<1x2x36x11xf32>
    %44 = tensor.empty() : tensor<1x2x36x11xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x2x36x11xf32>) outs(%44 : tensor<1x2x36x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_41 = arith.constant 0.176776692 : f32
      %79 = arith.mulf %in, %cst_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x11xf32>
    %cst_23 = arith.constant 0xFF800000 : f32
    %46 = tensor.empty() : tensor<1x2x36x1xf32>
    %47 = linalg.fill ins(%cst_23 : f32) outs(%46 : tensor<1x2x36x1xf32>) -> tensor<1x2x36x1xf32>
    %48 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%45 : tensor<1x2x36x11xf32>) outs(%47 : tensor<1x2x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.maximumf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x1xf32>
    %49 = tensor.empty() : tensor<1x2x36x11xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %48 : tensor<1x2x36x11xf32>, tensor<1x2x36x1xf32>) outs(%49 : tensor<1x2x36x11xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.subf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x11xf32>
    %51 = tensor.empty() : tensor<1x2x36x11xf32>
    %52 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<1x2x36x11xf32>) outs(%51 : tensor<1x2x36x11xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = math.exp %in : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x11xf32>
    %cst_24 = arith.constant 0.000000e+00 : f32
    %53 = tensor.empty() : tensor<1x2x36x1xf32>
    %54 = linalg.fill ins(%cst_24 : f32) outs(%53 : tensor<1x2x36x1xf32>) -> tensor<1x2x36x1xf32>
    %55 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%52 : tensor<1x2x36x11xf32>) outs(%54 : tensor<1x2x36x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %79 = arith.addf %in, %out : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x1xf32>
    %56 = tensor.empty() : tensor<1x2x36x11xf32>
    %57 = linalg.generic {indexing_maps = [#map3, #map4, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %55 : tensor<1x2x36x11xf32>, tensor<1x2x36x1xf32>) outs(%56 : tensor<1x2x36x11xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.divf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x2x36x11xf32>
    %collapsed_25 = tensor.collapse_shape %57 [[0, 1], [2], [3]] : tensor<1x2x36x11xf32> into tensor<2x36x11xf32>
    %collapsed_26 = tensor.collapse_shape %transposed_17 [[0, 1], [2], [3]] : tensor<1x2x11x32xf32> into tensor<2x11x32xf32>
    %cst_27 = arith.constant 0.000000e+00 : f32
    %58 = tensor.empty() : tensor<2x36x32xf32>
    %59 = linalg.fill ins(%cst_27 : f32) outs(%58 : tensor<2x36x32xf32>) -> tensor<2x36x32xf32>
    %60 = linalg.batch_matmul ins(%collapsed_25, %collapsed_26 : tensor<2x36x11xf32>, tensor<2x11x32xf32>) outs(%59 : tensor<2x36x32xf32>) -> tensor<2x36x32xf32>
    %expanded_28 = tensor.expand_shape %60 [[0, 1], [2], [3]] output_shape [1, 2, 36, 32] : tensor<2x36x32xf32> into tensor<1x2x36x32xf32>
    %61 = tensor.empty() : tensor<1x36x2x32xf32>
    %transposed_29 = linalg.transpose ins(%expanded_28 : tensor<1x2x36x32xf32>) outs(%61 : tensor<1x36x2x32xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_30 = tensor.collapse_shape %transposed_29 [[0], [1], [2, 3]] : tensor<1x36x2x32xf32> into tensor<1x36x64xf32>
    %62 = tensor.empty() : tensor<64x64xf32>
    %transposed_31 = linalg.transpose ins(%arg7 : tensor<64x64xf32>) outs(%62 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_32 = tensor.collapse_shape %collapsed_30 [[0, 1], [2]] : tensor<1x36x64xf32> into tensor<36x64xf32>
    %cst_33 = arith.constant 0.000000e+00 : f32
    %63 = tensor.empty() : tensor<36x64xf32>
    %64 = linalg.fill ins(%cst_33 : f32) outs(%63 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %65 = linalg.matmul ins(%collapsed_32, %transposed_31 : tensor<36x64xf32>, tensor<64x64xf32>) outs(%64 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %expanded_34 = tensor.expand_shape %65 [[0, 1], [2]] output_shape [1, 36, 64] : tensor<36x64xf32> into tensor<1x36x64xf32>
    %66 = tensor.empty() : tensor<1x36x64xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_34, %arg8 : tensor<1x36x64xf32>, tensor<64xf32>) outs(%66 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.addf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %68 = tensor.empty() : tensor<1x36x64xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed, %67 : tensor<1x36x64xf32>, tensor<1x36x64xf32>) outs(%68 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.addf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %70 = tensor.empty() : tensor<64x64xf32>
    %transposed_35 = linalg.transpose ins(%arg9 : tensor<64x64xf32>) outs(%70 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_36 = tensor.collapse_shape %69 [[0, 1], [2]] : tensor<1x36x64xf32> into tensor<36x64xf32>
    %cst_37 = arith.constant 0.000000e+00 : f32
    %71 = tensor.empty() : tensor<36x64xf32>
    %72 = linalg.fill ins(%cst_37 : f32) outs(%71 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %73 = linalg.matmul ins(%collapsed_36, %transposed_35 : tensor<36x64xf32>, tensor<64x64xf32>) outs(%72 : tensor<36x64xf32>) -> tensor<36x64xf32>
    %expanded_38 = tensor.expand_shape %73 [[0, 1], [2]] output_shape [1, 36, 64] : tensor<36x64xf32> into tensor<1x36x64xf32>
    %74 = tensor.empty() : tensor<1x36x64xf32>
    %75 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_38, %arg10 : tensor<1x36x64xf32>, tensor<64xf32>) outs(%74 : tensor<1x36x64xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.addf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x36x64xf32>
    %76 = tensor.empty() : tensor<1x64x36xf32>
    %transposed_39 = linalg.transpose ins(%75 : tensor<1x36x64xf32>) outs(%76 : tensor<1x64x36xf32>) permutation = [0, 2, 1] 
    %expanded_40 = tensor.expand_shape %transposed_39 [[0], [1], [2, 3]] output_shape [1, 64, 6, 6] : tensor<1x64x36xf32> into tensor<1x64x6x6xf32>
    %77 = tensor.empty() : tensor<1x64x6x6xf32>
    %78 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0, %expanded_40 : tensor<1x64x6x6xf32>, tensor<1x64x6x6xf32>) outs(%77 : tensor<1x64x6x6xf32>) {
    ^bb0(%in: f32, %in_41: f32, %out: f32):
      %79 = arith.addf %in, %in_41 : f32
      linalg.yield %79 : f32
    } -> tensor<1x64x6x6xf32>
    return %78 : tensor<1x64x6x6xf32>
  }
}

