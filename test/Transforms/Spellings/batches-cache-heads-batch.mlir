// The same for a batch of sequences, as BLOOM packs them: batches are one dimension where scores are computed.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<3x1x64xf32>, %arg1: tensor<3x4x25x16xf32>, %arg2: tensor<3x4x25x16xf32>, %arg3: tensor<192x64xf32>, %arg4: tensor<192xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64xf32>) -> (tensor<3x1x64xf32>, tensor<3x4x26x16xf32>, tensor<3x4x26x16xf32>) {
    %0 = tensor.empty() : tensor<64x192xf32>
    %transposed = linalg.transpose ins(%arg3 : tensor<192x64xf32>) outs(%0 : tensor<64x192xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0], [1, 2]] : tensor<3x1x64xf32> into tensor<3x64xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<3x192xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<3x192xf32>) -> tensor<3x192xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<3x64xf32>, tensor<64x192xf32>) outs(%2 : tensor<3x192xf32>) -> tensor<3x192xf32>
    %expanded = tensor.expand_shape %3 [[0], [1, 2]] output_shape [3, 1, 192] : tensor<3x192xf32> into tensor<3x1x192xf32>
    %4 = tensor.empty() : tensor<3x1x192xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg4 : tensor<3x1x192xf32>, tensor<192xf32>) outs(%4 : tensor<3x1x192xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %37 = arith.addf %in, %in_27 : f32
      linalg.yield %37 : f32
    } -> tensor<3x1x192xf32>
    %expanded_0 = tensor.expand_shape %5 [[0], [1], [2, 3, 4]] output_shape [3, 1, 4, 3, 16] : tensor<3x1x192xf32> into tensor<3x1x4x3x16xf32>
    %extracted_slice = tensor.extract_slice %expanded_0[0, 0, 0, 0, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xf32> to tensor<3x1x4x1x16xf32>
    %collapsed_1 = tensor.collapse_shape %extracted_slice [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xf32> into tensor<3x1x4x16xf32>
    %6 = tensor.empty() : tensor<3x4x1x16xf32>
    %transposed_2 = linalg.transpose ins(%collapsed_1 : tensor<3x1x4x16xf32>) outs(%6 : tensor<3x4x1x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice_3 = tensor.extract_slice %expanded_0[0, 0, 0, 1, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xf32> to tensor<3x1x4x1x16xf32>
    %collapsed_4 = tensor.collapse_shape %extracted_slice_3 [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xf32> into tensor<3x1x4x16xf32>
    %7 = tensor.empty() : tensor<3x4x1x16xf32>
    %transposed_5 = linalg.transpose ins(%collapsed_4 : tensor<3x1x4x16xf32>) outs(%7 : tensor<3x4x1x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice_6 = tensor.extract_slice %expanded_0[0, 0, 0, 2, 0] [3, 1, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<3x1x4x3x16xf32> to tensor<3x1x4x1x16xf32>
    %collapsed_7 = tensor.collapse_shape %extracted_slice_6 [[0], [1], [2], [3, 4]] : tensor<3x1x4x1x16xf32> into tensor<3x1x4x16xf32>
    %8 = tensor.empty() : tensor<3x4x1x16xf32>
    %transposed_8 = linalg.transpose ins(%collapsed_7 : tensor<3x1x4x16xf32>) outs(%8 : tensor<3x4x1x16xf32>) permutation = [0, 2, 1, 3] 
    %concat = tensor.concat dim(2) %arg1, %transposed_5 : (tensor<3x4x25x16xf32>, tensor<3x4x1x16xf32>) -> tensor<3x4x26x16xf32>
    %concat_9 = tensor.concat dim(2) %arg2, %transposed_8 : (tensor<3x4x25x16xf32>, tensor<3x4x1x16xf32>) -> tensor<3x4x26x16xf32>
    %9 = tensor.empty() : tensor<3x4x16x26xf32>
    %transposed_10 = linalg.transpose ins(%concat : tensor<3x4x26x16xf32>) outs(%9 : tensor<3x4x16x26xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_11 = tensor.collapse_shape %transposed_2 [[0, 1], [2], [3]] : tensor<3x4x1x16xf32> into tensor<12x1x16xf32>
    %collapsed_12 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<3x4x16x26xf32> into tensor<12x16x26xf32>
    %cst_13 = arith.constant 0.000000e+00 : f32
    %10 = tensor.empty() : tensor<12x1x26xf32>
    %11 = linalg.fill ins(%cst_13 : f32) outs(%10 : tensor<12x1x26xf32>) -> tensor<12x1x26xf32>
    %12 = linalg.batch_matmul ins(%collapsed_11, %collapsed_12 : tensor<12x1x16xf32>, tensor<12x16x26xf32>) outs(%11 : tensor<12x1x26xf32>) -> tensor<12x1x26xf32>
    %expanded_14 = tensor.expand_shape %12 [[0, 1], [2], [3]] output_shape [3, 4, 1, 26] : tensor<12x1x26xf32> into tensor<3x4x1x26xf32>
    %13 = tensor.empty() : tensor<3x4x1x26xf32>
    %14 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<3x4x1x26xf32>) outs(%13 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_27 = arith.constant 2.500000e-01 : f32
      %37 = arith.mulf %in, %cst_27 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x26xf32>
    %cst_15 = arith.constant 0xFF800000 : f32
    %15 = tensor.empty() : tensor<3x4x1x1xf32>
    %16 = linalg.fill ins(%cst_15 : f32) outs(%15 : tensor<3x4x1x1xf32>) -> tensor<3x4x1x1xf32>
    %17 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%14 : tensor<3x4x1x26xf32>) outs(%16 : tensor<3x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x1xf32>
    %18 = tensor.empty() : tensor<3x4x1x26xf32>
    %19 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14, %17 : tensor<3x4x1x26xf32>, tensor<3x4x1x1xf32>) outs(%18 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %37 = arith.subf %in, %in_27 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x26xf32>
    %20 = tensor.empty() : tensor<3x4x1x26xf32>
    %21 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<3x4x1x26xf32>) outs(%20 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x26xf32>
    %cst_16 = arith.constant 0.000000e+00 : f32
    %22 = tensor.empty() : tensor<3x4x1x1xf32>
    %23 = linalg.fill ins(%cst_16 : f32) outs(%22 : tensor<3x4x1x1xf32>) -> tensor<3x4x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<3x4x1x26xf32>) outs(%23 : tensor<3x4x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x1xf32>
    %25 = tensor.empty() : tensor<3x4x1x26xf32>
    %26 = linalg.generic {indexing_maps = [#map2, #map3, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %24 : tensor<3x4x1x26xf32>, tensor<3x4x1x1xf32>) outs(%25 : tensor<3x4x1x26xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %37 = arith.divf %in, %in_27 : f32
      linalg.yield %37 : f32
    } -> tensor<3x4x1x26xf32>
    %collapsed_17 = tensor.collapse_shape %26 [[0, 1], [2], [3]] : tensor<3x4x1x26xf32> into tensor<12x1x26xf32>
    %collapsed_18 = tensor.collapse_shape %concat_9 [[0, 1], [2], [3]] : tensor<3x4x26x16xf32> into tensor<12x26x16xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %27 = tensor.empty() : tensor<12x1x16xf32>
    %28 = linalg.fill ins(%cst_19 : f32) outs(%27 : tensor<12x1x16xf32>) -> tensor<12x1x16xf32>
    %29 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<12x1x26xf32>, tensor<12x26x16xf32>) outs(%28 : tensor<12x1x16xf32>) -> tensor<12x1x16xf32>
    %expanded_20 = tensor.expand_shape %29 [[0, 1], [2], [3]] output_shape [3, 4, 1, 16] : tensor<12x1x16xf32> into tensor<3x4x1x16xf32>
    %30 = tensor.empty() : tensor<3x1x4x16xf32>
    %transposed_21 = linalg.transpose ins(%expanded_20 : tensor<3x4x1x16xf32>) outs(%30 : tensor<3x1x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_22 = tensor.collapse_shape %transposed_21 [[0], [1], [2, 3]] : tensor<3x1x4x16xf32> into tensor<3x1x64xf32>
    %31 = tensor.empty() : tensor<64x64xf32>
    %transposed_23 = linalg.transpose ins(%arg5 : tensor<64x64xf32>) outs(%31 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_24 = tensor.collapse_shape %collapsed_22 [[0], [1, 2]] : tensor<3x1x64xf32> into tensor<3x64xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %32 = tensor.empty() : tensor<3x64xf32>
    %33 = linalg.fill ins(%cst_25 : f32) outs(%32 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %34 = linalg.matmul ins(%collapsed_24, %transposed_23 : tensor<3x64xf32>, tensor<64x64xf32>) outs(%33 : tensor<3x64xf32>) -> tensor<3x64xf32>
    %expanded_26 = tensor.expand_shape %34 [[0], [1, 2]] output_shape [3, 1, 64] : tensor<3x64xf32> into tensor<3x1x64xf32>
    %35 = tensor.empty() : tensor<3x1x64xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_26, %arg6 : tensor<3x1x64xf32>, tensor<64xf32>) outs(%35 : tensor<3x1x64xf32>) {
    ^bb0(%in: f32, %in_27: f32, %out: f32):
      %37 = arith.addf %in, %in_27 : f32
      linalg.yield %37 : f32
    } -> tensor<3x1x64xf32>
    return %36, %concat, %concat_9 : tensor<3x1x64xf32>, tensor<3x4x26x16xf32>, tensor<3x4x26x16xf32>
  }
}

