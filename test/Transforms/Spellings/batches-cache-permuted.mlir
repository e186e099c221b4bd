// The same for a batch of sequences, by products whose loops run in another order than the dimensions of their results.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
#map5 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d0, d4)>
#map6 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d3, d4)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d2, d1, d0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map9 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d0)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d2, d3, d1)>
#map12 = affine_map<(d0, d1) -> (d1, d0)>
#map13 = affine_map<(d0, d1, d2) -> (d1, d0)>
#map14 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map15 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @main(%arg0: tensor<3x1x64xbf16>, %arg1: tensor<3x4x25x16xbf16>, %arg2: tensor<3x4x25x16xbf16>, %arg3: tensor<192x64xbf16>, %arg4: tensor<192xbf16>, %arg5: tensor<64x64xbf16>, %arg6: tensor<64xbf16>) -> (tensor<3x1x64xbf16>, tensor<3x4x26x16xbf16>, tensor<3x4x26x16xbf16>) {
    %0 = tensor.empty() : tensor<64x192xbf16>
    %transposed = linalg.transpose ins(%arg3 : tensor<192x64xbf16>) outs(%0 : tensor<64x192xbf16>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x1x64xbf16> into tensor<3x64xbf16>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<3x192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x192xf32>) -> tensor<3x192xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<3x64xbf16>, tensor<64x192xbf16>) outs(%2 : tensor<3x192xf32>) -> tensor<3x192xf32>
    %4 = tensor.empty() : tensor<3x192xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<3x192xf32>) outs(%4 : tensor<3x192xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<3x192xbf16>
    %expanded = tensor.expand_shape %5 [[0], [1, 2]] output_shape [3, 1, 192] : tensor<3x192xbf16> into tensor<3x1x192xbf16>
    %6 = tensor.empty() : tensor<3x1x192xbf16>
    %7 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg4 : tensor<3x1x192xbf16>, tensor<192xbf16>) outs(%6 : tensor<3x1x192xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %43 = arith.addf %in, %in_23 : bf16
      linalg.yield %43 : bf16
    } -> tensor<3x1x192xbf16>
    %expanded_0 = tensor.expand_shape %7 [[0], [1], [2, 3, 4]] output_shape [3, 1, 4, 3, 16] : tensor<3x1x192xbf16> into tensor<3x1x4x3x16xbf16>
    %extracted_slice = tensor.extract_slice %expanded_0[0, 0, 0, 0, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xbf16> to tensor<3x1x4x1x16xbf16>
    %collapsed_1 = tensor.collapse_shape %extracted_slice [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xbf16> into tensor<3x1x4x16xbf16>
    %8 = tensor.empty() : tensor<3x4x1x16xbf16>
    %9 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_1 : tensor<3x1x4x16xbf16>) outs(%8 : tensor<3x4x1x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<3x4x1x16xbf16>
    %extracted_slice_2 = tensor.extract_slice %expanded_0[0, 0, 0, 1, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xbf16> to tensor<3x1x4x1x16xbf16>
    %collapsed_3 = tensor.collapse_shape %extracted_slice_2 [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xbf16> into tensor<3x1x4x16xbf16>
    %10 = tensor.empty() : tensor<3x4x1x16xbf16>
    %11 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_3 : tensor<3x1x4x16xbf16>) outs(%10 : tensor<3x4x1x16xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<3x4x1x16xbf16>
    %extracted_slice_4 = tensor.extract_slice %expanded_0[0, 0, 0, 2, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xbf16> to tensor<3x1x4x1x16xbf16>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_4 [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xbf16> into tensor<3x1x4x16xbf16>
    %12 = tensor.empty() : tensor<3x4x1x16xbf16>
    %transposed_6 = linalg.transpose ins(%collapsed_5 : tensor<3x1x4x16xbf16>) outs(%12 : tensor<3x4x1x16xbf16>) permutation = [0, 2, 1, 3] 
    %concat = tensor.concat dim(2) %arg1, %11 : (tensor<3x4x25x16xbf16>, tensor<3x4x1x16xbf16>) -> tensor<3x4x26x16xbf16>
    %13 = tensor.empty() : tensor<3x4x26x16xbf16>
    %inserted_slice = tensor.insert_slice %arg2 into %13[0, 0, 0, 0] [3, 4, 25, 16] [1, 1, 1, 1] : tensor<3x4x25x16xbf16> into tensor<3x4x26x16xbf16>
    %inserted_slice_7 = tensor.insert_slice %transposed_6 into %inserted_slice[0, 0, 25, 0] [3, 4, 1, 16] [1, 1, 1, 1] : tensor<3x4x1x16xbf16> into tensor<3x4x26x16xbf16>
    %cst_8 = arith.constant 0.000000e+00 : f32
    %splat = tensor.splat %cst_8 : tensor<3x4x1x26xf32>
    %14 = linalg.contract indexing_maps = [#map5, #map6, #map7] ins(%9, %concat : tensor<3x4x1x16xbf16>, tensor<3x4x26x16xbf16>) outs(%splat : tensor<3x4x1x26xf32>) -> tensor<3x4x1x26xf32>
    %15 = tensor.empty() : tensor<3x4x1x26xbf16>
    %16 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<3x4x1x26xf32>) outs(%15 : tensor<3x4x1x26xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<3x4x1x26xbf16>
    %17 = tensor.empty() : tensor<3x4x1x26xbf16>
    %18 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16 : tensor<3x4x1x26xbf16>) outs(%17 : tensor<3x4x1x26xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %cst_23 = arith.constant 2.500000e-01 : bf16
      %43 = arith.mulf %in, %cst_23 : bf16
      linalg.yield %43 : bf16
    } -> tensor<3x4x1x26xbf16>
    %19 = tensor.empty() : tensor<3x4x1x26xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%18 : tensor<3x4x1x26xbf16>) outs(%19 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %43 = arith.extf %in : bf16 to f32
      linalg.yield %43 : f32
    } -> tensor<3x4x1x26xf32>
    %cst_9 = arith.constant 0xFF800000 : f32
    %21 = tensor.empty() : tensor<3x4x1xf32>
    %22 = linalg.fill ins(%cst_9 : f32) outs(%21 : tensor<3x4x1xf32>) -> tensor<3x4x1xf32>
    %reduced = linalg.reduce { arith.maximumf } ins(%20 : tensor<3x4x1x26xf32>) outs(%22 : tensor<3x4x1xf32>) dimensions = [3] 
    %expanded_10 = tensor.expand_shape %reduced [[0], [1], [2, 3]] output_shape [3, 4, 1, 1] : tensor<3x4x1xf32> into tensor<3x4x1x1xf32>
    %collapsed_11 = tensor.collapse_shape %expanded_10 [[0], [1], [2, 3]] : tensor<3x4x1x1xf32> into tensor<3x4x1xf32>
    %23 = tensor.empty() : tensor<3x4x1x26xf32>
    %broadcasted = linalg.broadcast ins(%collapsed_11 : tensor<3x4x1xf32>) outs(%23 : tensor<3x4x1x26xf32>) dimensions = [3] 
    %24 = tensor.empty() : tensor<3x4x1x26xf32>
    %25 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %broadcasted : tensor<3x4x1x26xf32>, tensor<3x4x1x26xf32>) outs(%24 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %43 = arith.subf %in, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<3x4x1x26xf32>
    %26 = tensor.empty() : tensor<3x4x1x26xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<3x4x1x26xf32>) outs(%26 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = math.exp %in : f32
      linalg.yield %43 : f32
    } -> tensor<3x4x1x26xf32>
    %cst_12 = arith.constant dense<0.000000e+00> : tensor<3x4x1x1xf32>
    %28 = linalg.generic {indexing_maps = [#map3, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<3x4x1x26xf32>) outs(%cst_12 : tensor<3x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %43 = arith.addf %in, %out : f32
      linalg.yield %43 : f32
    } -> tensor<3x4x1x1xf32>
    %29 = tensor.empty() : tensor<3x4x1x26xf32>
    %30 = linalg.generic {indexing_maps = [#map3, #map8, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %28 : tensor<3x4x1x26xf32>, tensor<3x4x1x1xf32>) outs(%29 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %in_23: f32, %out: f32):
      %43 = arith.divf %in, %in_23 : f32
      linalg.yield %43 : f32
    } -> tensor<3x4x1x26xf32>
    %31 = arith.truncf %30 : tensor<3x4x1x26xf32> to tensor<3x4x1x26xbf16>
    %collapsed_13 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<3x4x1x26xbf16> into tensor<12x1x26xbf16>
    %collapsed_14 = tensor.collapse_shape %inserted_slice_7 [[0, 1], [2], [3]] : tensor<3x4x26x16xbf16> into tensor<12x26x16xbf16>
    %cst_15 = arith.constant dense<0.000000e+00> : tensor<12x1x16xf32>
    %32 = linalg.contract indexing_maps = [#map9, #map10, #map11] ins(%collapsed_13, %collapsed_14 : tensor<12x1x26xbf16>, tensor<12x26x16xbf16>) outs(%cst_15 : tensor<12x1x16xf32>) -> tensor<12x1x16xf32>
    %33 = tensor.empty() : tensor<12x1x16xbf16>
    %34 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%32 : tensor<12x1x16xf32>) outs(%33 : tensor<12x1x16xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<12x1x16xbf16>
    %expanded_16 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [3, 4, 1, 16] : tensor<12x1x16xbf16> into tensor<3x4x1x16xbf16>
    %35 = tensor.empty() : tensor<3x1x4x16xbf16>
    %transposed_17 = linalg.transpose ins(%expanded_16 : tensor<3x4x1x16xbf16>) outs(%35 : tensor<3x1x4x16xbf16>) permutation = [0, 2, 1, 3] 
    %collapsed_18 = tensor.collapse_shape %transposed_17 [[0], [1], [2, 3]] : tensor<3x1x4x16xbf16> into tensor<3x1x64xbf16>
    %36 = tensor.empty() : tensor<64x64xbf16>
    %37 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<64x64xbf16>) outs(%36 : tensor<64x64xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      linalg.yield %in : bf16
    } -> tensor<64x64xbf16>
    %collapsed_19 = tensor.collapse_shape %collapsed_18 [[0], [1, 2]] : tensor<3x1x64xbf16> into tensor<3x64xbf16>
    %cst_20 = arith.constant 0.000000e+00 : f32
    %splat_21 = tensor.splat %cst_20 : tensor<3x64xf32>
    %38 = linalg.contract indexing_maps = [#map13, #map14, #map15] ins(%collapsed_19, %37 : tensor<3x64xbf16>, tensor<64x64xbf16>) outs(%splat_21 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %39 = tensor.empty() : tensor<3x64xbf16>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<3x64xf32>) outs(%39 : tensor<3x64xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %43 = arith.truncf %in : f32 to bf16
      linalg.yield %43 : bf16
    } -> tensor<3x64xbf16>
    %expanded_22 = tensor.expand_shape %40 [[0], [1, 2]] output_shape [3, 1, 64] : tensor<3x64xbf16> into tensor<3x1x64xbf16>
    %41 = tensor.empty() : tensor<3x1x64xbf16>
    %42 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_22, %arg6 : tensor<3x1x64xbf16>, tensor<64xbf16>) outs(%41 : tensor<3x1x64xbf16>) {
    ^bb0(%in: bf16, %in_23: bf16, %out: bf16):
      %43 = arith.addf %in, %in_23 : bf16
      linalg.yield %43 : bf16
    } -> tensor<3x1x64xbf16>
    return %42, %concat, %inserted_slice_7 : tensor<3x1x64xbf16>, tensor<3x4x26x16xbf16>, tensor<3x4x26x16xbf16>
  }
}

