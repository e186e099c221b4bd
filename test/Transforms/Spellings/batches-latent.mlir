// Keys of DeepSeek's attention: one part of each head comes from a latent vector, the other one is shared by all heads.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x28x96xbf16>, %arg1: tensor<1x1x28x8xbf16>, %arg2: tensor<1x1x28x8xbf16>, %arg3: tensor<96xbf16>, %arg4: tensor<40x96xbf16>, %arg5: tensor<40xbf16>, %arg6: tensor<128x40xbf16>, %arg7: tensor<40x96xbf16>, %arg8: tensor<32xbf16>, %arg9: tensor<160x32xbf16>, %arg10: tensor<96x64xbf16>) -> tensor<1x28x96xbf16> {
    %0 = tensor.empty() : tensor<1x28x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x28x96xbf16>) outs(%0 : tensor<1x28x96xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %143 = arith.extf %in : bf16 to f32
      linalg.yield %143 : f32
    } -> tensor<1x28x96xf32>
    %2 = tensor.empty() : tensor<1x28x96xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %1 : tensor<1x28x96xf32>, tensor<1x28x96xf32>) outs(%2 : tensor<1x28x96xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x96xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %4 = tensor.empty() : tensor<1x28x1xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x28x1xf32>) -> tensor<1x28x1xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<1x28x96xf32>) outs(%5 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = arith.addf %in, %out : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %7 = tensor.empty() : tensor<1x28x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x28x1xf32>) outs(%7 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 9.600000e+01 : f32
      %143 = arith.divf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %9 = tensor.empty() : tensor<1x28x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<1x28x1xf32>) outs(%9 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 9.99999997E-7 : f32
      %143 = arith.addf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %11 = tensor.empty() : tensor<1x28x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<1x28x1xf32>) outs(%11 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = math.rsqrt %in : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %13 = tensor.empty() : tensor<1x28x96xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %12 : tensor<1x28x96xf32>, tensor<1x28x1xf32>) outs(%13 : tensor<1x28x96xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x96xf32>
    %15 = tensor.empty() : tensor<1x28x96xbf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14 : tensor<1x28x96xf32>) outs(%15 : tensor<1x28x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x96xbf16>
    %17 = tensor.empty() : tensor<1x28x96xbf16>
    %18 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%16, %arg3 : tensor<1x28x96xbf16>, tensor<96xbf16>) outs(%17 : tensor<1x28x96xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x96xbf16>
    %19 = tensor.empty() : tensor<96x40xbf16>
    %transposed = linalg.transpose ins(%arg4 : tensor<40x96xbf16>) outs(%19 : tensor<96x40xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x28x96xbf16> into tensor<28x96xbf16>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %20 = tensor.empty() : tensor<28x40xf32>
    %21 = linalg.fill ins(%cst_0 : f32) outs(%20 : tensor<28x40xf32>) -> tensor<28x40xf32>
    %22 = linalg.matmul ins(%collapsed, %transposed : tensor<28x96xbf16>, tensor<96x40xbf16>) outs(%21 : tensor<28x40xf32>) -> tensor<28x40xf32>
    %23 = tensor.empty() : tensor<28x40xbf16>
    %24 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%22 : tensor<28x40xf32>) outs(%23 : tensor<28x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<28x40xbf16>
    %expanded = tensor.expand_shape %24 [[0, 1], [2]] output_shape [1, 28, 40] : tensor<28x40xbf16> into tensor<1x28x40xbf16>
    %25 = tensor.empty() : tensor<1x28x40xf32>
    %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x28x40xbf16>) outs(%25 : tensor<1x28x40xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %143 = arith.extf %in : bf16 to f32
      linalg.yield %143 : f32
    } -> tensor<1x28x40xf32>
    %27 = tensor.empty() : tensor<1x28x40xf32>
    %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %26 : tensor<1x28x40xf32>, tensor<1x28x40xf32>) outs(%27 : tensor<1x28x40xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x40xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %29 = tensor.empty() : tensor<1x28x1xf32>
    %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<1x28x1xf32>) -> tensor<1x28x1xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%28 : tensor<1x28x40xf32>) outs(%30 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = arith.addf %in, %out : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %32 = tensor.empty() : tensor<1x28x1xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%31 : tensor<1x28x1xf32>) outs(%32 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 4.000000e+01 : f32
      %143 = arith.divf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %34 = tensor.empty() : tensor<1x28x1xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33 : tensor<1x28x1xf32>) outs(%34 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 9.99999997E-7 : f32
      %143 = arith.addf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %36 = tensor.empty() : tensor<1x28x1xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%35 : tensor<1x28x1xf32>) outs(%36 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = math.rsqrt %in : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %38 = tensor.empty() : tensor<1x28x40xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%26, %37 : tensor<1x28x40xf32>, tensor<1x28x1xf32>) outs(%38 : tensor<1x28x40xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x40xf32>
    %40 = tensor.empty() : tensor<1x28x40xbf16>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%39 : tensor<1x28x40xf32>) outs(%40 : tensor<1x28x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x40xbf16>
    %42 = tensor.empty() : tensor<1x28x40xbf16>
    %43 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41, %arg5 : tensor<1x28x40xbf16>, tensor<40xbf16>) outs(%42 : tensor<1x28x40xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x40xbf16>
    %44 = tensor.empty() : tensor<40x128xbf16>
    %transposed_2 = linalg.transpose ins(%arg6 : tensor<128x40xbf16>) outs(%44 : tensor<40x128xbf16>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %43 [[0, 1], [2]] : tensor<1x28x40xbf16> into tensor<28x40xbf16>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %45 = tensor.empty() : tensor<28x128xf32>
    %46 = linalg.fill ins(%cst_4 : f32) outs(%45 : tensor<28x128xf32>) -> tensor<28x128xf32>
    %47 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<28x40xbf16>, tensor<40x128xbf16>) outs(%46 : tensor<28x128xf32>) -> tensor<28x128xf32>
    %48 = tensor.empty() : tensor<28x128xbf16>
    %49 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<28x128xf32>) outs(%48 : tensor<28x128xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<28x128xbf16>
    %expanded_5 = tensor.expand_shape %49 [[0, 1], [2]] output_shape [1, 28, 128] : tensor<28x128xbf16> into tensor<1x28x128xbf16>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [1, 28, 4, 32] : tensor<1x28x128xbf16> into tensor<1x28x4x32xbf16>
    %50 = tensor.empty() : tensor<1x4x28x32xbf16>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x28x4x32xbf16>) outs(%50 : tensor<1x4x28x32xbf16>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_7[0, 0, 0, 0] [1, 4, 28, 24] [1, 1, 1, 1] : tensor<1x4x28x32xbf16> to tensor<1x4x28x24xbf16>
    %extracted_slice_8 = tensor.extract_slice %transposed_7[0, 0, 0, 24] [1, 4, 28, 8] [1, 1, 1, 1] : tensor<1x4x28x32xbf16> to tensor<1x4x28x8xbf16>
    %51 = tensor.empty() : tensor<96x40xbf16>
    %transposed_9 = linalg.transpose ins(%arg7 : tensor<40x96xbf16>) outs(%51 : tensor<96x40xbf16>) permutation = [1, 0] 
    %collapsed_10 = tensor.collapse_shape %18 [[0, 1], [2]] : tensor<1x28x96xbf16> into tensor<28x96xbf16>
    %cst_11 = arith.constant 0.000000e+00 : f32
    %52 = tensor.empty() : tensor<28x40xf32>
    %53 = linalg.fill ins(%cst_11 : f32) outs(%52 : tensor<28x40xf32>) -> tensor<28x40xf32>
    %54 = linalg.matmul ins(%collapsed_10, %transposed_9 : tensor<28x96xbf16>, tensor<96x40xbf16>) outs(%53 : tensor<28x40xf32>) -> tensor<28x40xf32>
    %55 = tensor.empty() : tensor<28x40xbf16>
    %56 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%54 : tensor<28x40xf32>) outs(%55 : tensor<28x40xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<28x40xbf16>
    %expanded_12 = tensor.expand_shape %56 [[0, 1], [2]] output_shape [1, 28, 40] : tensor<28x40xbf16> into tensor<1x28x40xbf16>
    %extracted_slice_13 = tensor.extract_slice %expanded_12[0, 0, 0] [1, 28, 32] [1, 1, 1] : tensor<1x28x40xbf16> to tensor<1x28x32xbf16>
    %extracted_slice_14 = tensor.extract_slice %expanded_12[0, 0, 32] [1, 28, 8] [1, 1, 1] : tensor<1x28x40xbf16> to tensor<1x28x8xbf16>
    %57 = tensor.empty() : tensor<1x28x32xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice_13 : tensor<1x28x32xbf16>) outs(%57 : tensor<1x28x32xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %143 = arith.extf %in : bf16 to f32
      linalg.yield %143 : f32
    } -> tensor<1x28x32xf32>
    %59 = tensor.empty() : tensor<1x28x32xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %58 : tensor<1x28x32xf32>, tensor<1x28x32xf32>) outs(%59 : tensor<1x28x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x32xf32>
    %cst_15 = arith.constant 0.000000e+00 : f32
    %61 = tensor.empty() : tensor<1x28x1xf32>
    %62 = linalg.fill ins(%cst_15 : f32) outs(%61 : tensor<1x28x1xf32>) -> tensor<1x28x1xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%60 : tensor<1x28x32xf32>) outs(%62 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = arith.addf %in, %out : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %64 = tensor.empty() : tensor<1x28x1xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%63 : tensor<1x28x1xf32>) outs(%64 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 3.200000e+01 : f32
      %143 = arith.divf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %66 = tensor.empty() : tensor<1x28x1xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%65 : tensor<1x28x1xf32>) outs(%66 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_50 = arith.constant 9.99999997E-7 : f32
      %143 = arith.addf %in, %cst_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %68 = tensor.empty() : tensor<1x28x1xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%67 : tensor<1x28x1xf32>) outs(%68 : tensor<1x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = math.rsqrt %in : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x1xf32>
    %70 = tensor.empty() : tensor<1x28x32xf32>
    %71 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%58, %69 : tensor<1x28x32xf32>, tensor<1x28x1xf32>) outs(%70 : tensor<1x28x32xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.mulf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x28x32xf32>
    %72 = tensor.empty() : tensor<1x28x32xbf16>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%71 : tensor<1x28x32xf32>) outs(%72 : tensor<1x28x32xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x32xbf16>
    %74 = tensor.empty() : tensor<1x28x32xbf16>
    %75 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%73, %arg8 : tensor<1x28x32xbf16>, tensor<32xbf16>) outs(%74 : tensor<1x28x32xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x32xbf16>
    %76 = tensor.empty() : tensor<32x160xbf16>
    %transposed_16 = linalg.transpose ins(%arg9 : tensor<160x32xbf16>) outs(%76 : tensor<32x160xbf16>) permutation = [1, 0] 
    %collapsed_17 = tensor.collapse_shape %75 [[0, 1], [2]] : tensor<1x28x32xbf16> into tensor<28x32xbf16>
    %cst_18 = arith.constant 0.000000e+00 : f32
    %77 = tensor.empty() : tensor<28x160xf32>
    %78 = linalg.fill ins(%cst_18 : f32) outs(%77 : tensor<28x160xf32>) -> tensor<28x160xf32>
    %79 = linalg.matmul ins(%collapsed_17, %transposed_16 : tensor<28x32xbf16>, tensor<32x160xbf16>) outs(%78 : tensor<28x160xf32>) -> tensor<28x160xf32>
    %80 = tensor.empty() : tensor<28x160xbf16>
    %81 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%79 : tensor<28x160xf32>) outs(%80 : tensor<28x160xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<28x160xbf16>
    %expanded_19 = tensor.expand_shape %81 [[0, 1], [2]] output_shape [1, 28, 160] : tensor<28x160xbf16> into tensor<1x28x160xbf16>
    %expanded_20 = tensor.expand_shape %expanded_19 [[0], [1], [2, 3]] output_shape [1, 28, 4, 40] : tensor<1x28x160xbf16> into tensor<1x28x4x40xbf16>
    %82 = tensor.empty() : tensor<1x4x28x40xbf16>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<1x28x4x40xbf16>) outs(%82 : tensor<1x4x28x40xbf16>) permutation = [0, 2, 1, 3] 
    %extracted_slice_22 = tensor.extract_slice %transposed_21[0, 0, 0, 0] [1, 4, 28, 24] [1, 1, 1, 1] : tensor<1x4x28x40xbf16> to tensor<1x4x28x24xbf16>
    %extracted_slice_23 = tensor.extract_slice %transposed_21[0, 0, 0, 24] [1, 4, 28, 16] [1, 1, 1, 1] : tensor<1x4x28x40xbf16> to tensor<1x4x28x16xbf16>
    %expanded_24 = tensor.expand_shape %extracted_slice_14 [[0], [1, 2], [3]] output_shape [1, 1, 28, 8] : tensor<1x28x8xbf16> into tensor<1x1x28x8xbf16>
    %extracted_slice_25 = tensor.extract_slice %expanded_24[0, 0, 0, 0] [1, 1, 28, 4] [1, 1, 1, 1] : tensor<1x1x28x8xbf16> to tensor<1x1x28x4xbf16>
    %extracted_slice_26 = tensor.extract_slice %expanded_24[0, 0, 0, 4] [1, 1, 28, 4] [1, 1, 1, 1] : tensor<1x1x28x8xbf16> to tensor<1x1x28x4xbf16>
    %83 = tensor.empty() : tensor<1x1x28x8xbf16>
    %84 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_24, %arg1 : tensor<1x1x28x8xbf16>, tensor<1x1x28x8xbf16>) outs(%83 : tensor<1x1x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x1x28x8xbf16>
    %85 = tensor.empty() : tensor<1x1x28x4xbf16>
    %86 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_26 : tensor<1x1x28x4xbf16>) outs(%85 : tensor<1x1x28x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %143 = arith.negf %in : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x1x28x4xbf16>
    %concat = tensor.concat dim(3) %86, %extracted_slice_25 : (tensor<1x1x28x4xbf16>, tensor<1x1x28x4xbf16>) -> tensor<1x1x28x8xbf16>
    %87 = tensor.empty() : tensor<1x1x28x8xbf16>
    %88 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %arg2 : tensor<1x1x28x8xbf16>, tensor<1x1x28x8xbf16>) outs(%87 : tensor<1x1x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x1x28x8xbf16>
    %89 = tensor.empty() : tensor<1x1x28x8xbf16>
    %90 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %88 : tensor<1x1x28x8xbf16>, tensor<1x1x28x8xbf16>) outs(%89 : tensor<1x1x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.addf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x1x28x8xbf16>
    %extracted_slice_27 = tensor.extract_slice %extracted_slice_8[0, 0, 0, 0] [1, 4, 28, 4] [1, 1, 1, 1] : tensor<1x4x28x8xbf16> to tensor<1x4x28x4xbf16>
    %extracted_slice_28 = tensor.extract_slice %extracted_slice_8[0, 0, 0, 4] [1, 4, 28, 4] [1, 1, 1, 1] : tensor<1x4x28x8xbf16> to tensor<1x4x28x4xbf16>
    %91 = tensor.empty() : tensor<1x4x28x8xbf16>
    %92 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_8, %arg1 : tensor<1x4x28x8xbf16>, tensor<1x1x28x8xbf16>) outs(%91 : tensor<1x4x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x8xbf16>
    %93 = tensor.empty() : tensor<1x4x28x4xbf16>
    %94 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%extracted_slice_28 : tensor<1x4x28x4xbf16>) outs(%93 : tensor<1x4x28x4xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %143 = arith.negf %in : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x4xbf16>
    %concat_29 = tensor.concat dim(3) %94, %extracted_slice_27 : (tensor<1x4x28x4xbf16>, tensor<1x4x28x4xbf16>) -> tensor<1x4x28x8xbf16>
    %95 = tensor.empty() : tensor<1x4x28x8xbf16>
    %96 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat_29, %arg2 : tensor<1x4x28x8xbf16>, tensor<1x1x28x8xbf16>) outs(%95 : tensor<1x4x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.mulf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x8xbf16>
    %97 = tensor.empty() : tensor<1x4x28x8xbf16>
    %98 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %96 : tensor<1x4x28x8xbf16>, tensor<1x4x28x8xbf16>) outs(%97 : tensor<1x4x28x8xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.addf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x8xbf16>
    %concat_30 = tensor.concat dim(3) %extracted_slice, %98 : (tensor<1x4x28x24xbf16>, tensor<1x4x28x8xbf16>) -> tensor<1x4x28x32xbf16>
    %99 = tensor.empty() : tensor<1x4x28x8xbf16>
    %100 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90 : tensor<1x1x28x8xbf16>) outs(%99 : tensor<1x4x28x8xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<1x4x28x8xbf16>
    %concat_31 = tensor.concat dim(3) %extracted_slice_22, %100 : (tensor<1x4x28x24xbf16>, tensor<1x4x28x8xbf16>) -> tensor<1x4x28x32xbf16>
    %101 = tensor.empty() : tensor<28x28xbf16>
    %102 = linalg.generic {indexing_maps = [#map3], iterator_types = ["parallel", "parallel"]} outs(%101 : tensor<28x28xbf16>) {
    ^bb0(%out: bf16):
      %143 = linalg.index 0 : index
      %144 = linalg.index 1 : index
      %145 = arith.cmpi sge, %143, %144 : index
      %cst_50 = arith.constant 0.000000e+00 : bf16
      %cst_51 = arith.constant 0xFF80 : bf16
      %146 = arith.select %145, %cst_50, %cst_51 : bf16
      linalg.yield %146 : bf16
    } -> tensor<28x28xbf16>
    %expanded_32 = tensor.expand_shape %102 [[0, 1, 2], [3]] output_shape [1, 1, 28, 28] : tensor<28x28xbf16> into tensor<1x1x28x28xbf16>
    %103 = tensor.empty() : tensor<1x4x32x28xbf16>
    %transposed_33 = linalg.transpose ins(%concat_31 : tensor<1x4x28x32xbf16>) outs(%103 : tensor<1x4x32x28xbf16>) permutation = [0, 1, 3, 2] 
    %collapsed_34 = tensor.collapse_shape %concat_30 [[0, 1], [2], [3]] : tensor<1x4x28x32xbf16> into tensor<4x28x32xbf16>
    %collapsed_35 = tensor.collapse_shape %transposed_33 [[0, 1], [2], [3]] : tensor<1x4x32x28xbf16> into tensor<4x32x28xbf16>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %104 = tensor.empty() : tensor<4x28x28xf32>
    %105 = linalg.fill ins(%cst_36 : f32) outs(%104 : tensor<4x28x28xf32>) -> tensor<4x28x28xf32>
    %106 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<4x28x32xbf16>, tensor<4x32x28xbf16>) outs(%105 : tensor<4x28x28xf32>) -> tensor<4x28x28xf32>
    %107 = tensor.empty() : tensor<4x28x28xbf16>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%106 : tensor<4x28x28xf32>) outs(%107 : tensor<4x28x28xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<4x28x28xbf16>
    %expanded_37 = tensor.expand_shape %108 [[0, 1], [2], [3]] output_shape [1, 4, 28, 28] : tensor<4x28x28xbf16> into tensor<1x4x28x28xbf16>
    %109 = tensor.empty() : tensor<1x4x28x28xbf16>
    %110 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<1x4x28x28xbf16>) outs(%109 : tensor<1x4x28x28xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_50 = arith.constant 1.767580e-01 : bf16
      %143 = arith.mulf %in, %cst_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x28xbf16>
    %111 = tensor.empty() : tensor<1x4x28x28xbf16>
    %112 = linalg.generic {indexing_maps = [#map4, #map5, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110, %expanded_32 : tensor<1x4x28x28xbf16>, tensor<1x1x28x28xbf16>) outs(%111 : tensor<1x4x28x28xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.addf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x28xbf16>
    %113 = tensor.empty() : tensor<1x4x28x28xf32>
    %114 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x4x28x28xbf16>) outs(%113 : tensor<1x4x28x28xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %143 = arith.extf %in : bf16 to f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x28xf32>
    %cst_38 = arith.constant 0xFF800000 : f32
    %115 = tensor.empty() : tensor<1x4x28x1xf32>
    %116 = linalg.fill ins(%cst_38 : f32) outs(%115 : tensor<1x4x28x1xf32>) -> tensor<1x4x28x1xf32>
    %117 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%114 : tensor<1x4x28x28xf32>) outs(%116 : tensor<1x4x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = arith.maximumf %in, %out : f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x1xf32>
    %118 = tensor.empty() : tensor<1x4x28x28xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %117 : tensor<1x4x28x28xf32>, tensor<1x4x28x1xf32>) outs(%118 : tensor<1x4x28x28xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.subf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x28xf32>
    %120 = tensor.empty() : tensor<1x4x28x28xf32>
    %121 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<1x4x28x28xf32>) outs(%120 : tensor<1x4x28x28xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = math.exp %in : f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x28xf32>
    %cst_39 = arith.constant 0.000000e+00 : f32
    %122 = tensor.empty() : tensor<1x4x28x1xf32>
    %123 = linalg.fill ins(%cst_39 : f32) outs(%122 : tensor<1x4x28x1xf32>) -> tensor<1x4x28x1xf32>
    %124 = linalg.generic {indexing_maps = [#map4, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%121 : tensor<1x4x28x28xf32>) outs(%123 : tensor<1x4x28x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %143 = arith.addf %in, %out : f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x1xf32>
    %125 = tensor.empty() : tensor<1x4x28x28xf32>
    %126 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%121, %124 : tensor<1x4x28x28xf32>, tensor<1x4x28x1xf32>) outs(%125 : tensor<1x4x28x28xf32>) {
    ^bb0(%in: f32, %in_50: f32, %out: f32):
      %143 = arith.divf %in, %in_50 : f32
      linalg.yield %143 : f32
    } -> tensor<1x4x28x28xf32>
    %127 = tensor.empty() : tensor<1x4x28x28xbf16>
    %128 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<1x4x28x28xf32>) outs(%127 : tensor<1x4x28x28xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<1x4x28x28xbf16>
    %collapsed_40 = tensor.collapse_shape %128 [[0, 1], [2], [3]] : tensor<1x4x28x28xbf16> into tensor<4x28x28xbf16>
    %collapsed_41 = tensor.collapse_shape %extracted_slice_23 [[0, 1], [2], [3]] : tensor<1x4x28x16xbf16> into tensor<4x28x16xbf16>
    %cst_42 = arith.constant 0.000000e+00 : f32
    %129 = tensor.empty() : tensor<4x28x16xf32>
    %130 = linalg.fill ins(%cst_42 : f32) outs(%129 : tensor<4x28x16xf32>) -> tensor<4x28x16xf32>
    %131 = linalg.batch_matmul ins(%collapsed_40, %collapsed_41 : tensor<4x28x28xbf16>, tensor<4x28x16xbf16>) outs(%130 : tensor<4x28x16xf32>) -> tensor<4x28x16xf32>
    %132 = tensor.empty() : tensor<4x28x16xbf16>
    %133 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%131 : tensor<4x28x16xf32>) outs(%132 : tensor<4x28x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<4x28x16xbf16>
    %expanded_43 = tensor.expand_shape %133 [[0, 1], [2], [3]] output_shape [1, 4, 28, 16] : tensor<4x28x16xbf16> into tensor<1x4x28x16xbf16>
    %134 = tensor.empty() : tensor<1x28x4x16xbf16>
    %transposed_44 = linalg.transpose ins(%expanded_43 : tensor<1x4x28x16xbf16>) outs(%134 : tensor<1x28x4x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_45 = tensor.collapse_shape %transposed_44 [[0], [1], [2, 3]] : tensor<1x28x4x16xbf16> into tensor<1x28x64xbf16>
    %135 = tensor.empty() : tensor<64x96xbf16>
    %transposed_46 = linalg.transpose ins(%arg10 : tensor<96x64xbf16>) outs(%135 : tensor<64x96xbf16>) permutation = [1, 0] 
    %collapsed_47 = tensor.collapse_shape %collapsed_45 [[0, 1], [2]] : tensor<1x28x64xbf16> into tensor<28x64xbf16>
    %cst_48 = arith.constant 0.000000e+00 : f32
    %136 = tensor.empty() : tensor<28x96xf32>
    %137 = linalg.fill ins(%cst_48 : f32) outs(%136 : tensor<28x96xf32>) -> tensor<28x96xf32>
    %138 = linalg.matmul ins(%collapsed_47, %transposed_46 : tensor<28x64xbf16>, tensor<64x96xbf16>) outs(%137 : tensor<28x96xf32>) -> tensor<28x96xf32>
    %139 = tensor.empty() : tensor<28x96xbf16>
    %140 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%138 : tensor<28x96xf32>) outs(%139 : tensor<28x96xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %143 = arith.truncf %in : f32 to bf16
      linalg.yield %143 : bf16
    } -> tensor<28x96xbf16>
    %expanded_49 = tensor.expand_shape %140 [[0, 1], [2]] output_shape [1, 28, 96] : tensor<28x96xbf16> into tensor<1x28x96xbf16>
    %141 = tensor.empty() : tensor<1x28x96xbf16>
    %142 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_49 : tensor<1x28x96xbf16>, tensor<1x28x96xbf16>) outs(%141 : tensor<1x28x96xbf16>) {
    ^bb0(%in: bf16, %in_50: bf16, %out: bf16):
      %143 = arith.addf %in, %in_50 : bf16
      linalg.yield %143 : bf16
    } -> tensor<1x28x96xbf16>
    return %142 : tensor<1x28x96xbf16>
  }
}

