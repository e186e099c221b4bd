// RoPE of neighbours as IREE has it: a pair is a dimension, one generic has both results.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
func.func @main(%arg0: tensor<128x4x64xf32>, %arg1: tensor<128x32xf32>, %arg2: tensor<128x32xf32>) -> tensor<128x4x64xf32> {
  %expanded = tensor.expand_shape %arg0 [[0], [1], [2, 3]] output_shape [128, 4, 32, 2] : tensor<128x4x64xf32> into tensor<128x4x32x2xf32>
  %extracted_slice = tensor.extract_slice %expanded[0, 0, 0, 0] [128, 4, 32, 1] [1, 1, 1, 1] : tensor<128x4x32x2xf32> to tensor<128x4x32xf32>
  %extracted_slice_0 = tensor.extract_slice %expanded[0, 0, 0, 1] [128, 4, 32, 1] [1, 1, 1, 1] : tensor<128x4x32x2xf32> to tensor<128x4x32xf32>
  %0 = tensor.empty() : tensor<128x4x32xf32>
  %1:2 = linalg.generic {indexing_maps = [#map, #map, #map1, #map1, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_0, %arg1, %arg2 : tensor<128x4x32xf32>, tensor<128x4x32xf32>, tensor<128x32xf32>, tensor<128x32xf32>) outs(%0, %0 : tensor<128x4x32xf32>, tensor<128x4x32xf32>) {
  ^bb0(%in: f32, %in_2: f32, %in_3: f32, %in_4: f32, %out: f32, %out_5: f32):
    %3 = arith.mulf %in, %in_3 : f32
    %4 = arith.mulf %in_2, %in_4 : f32
    %5 = arith.subf %3, %4 : f32
    %6 = arith.mulf %in, %in_4 : f32
    %7 = arith.mulf %in_2, %in_3 : f32
    %8 = arith.addf %7, %6 : f32
    linalg.yield %5, %8 : f32, f32
  } -> (tensor<128x4x32xf32>, tensor<128x4x32xf32>)
  %2 = tensor.empty() : tensor<128x4x32x2xf32>
  %inserted_slice = tensor.insert_slice %1#0 into %2[0, 0, 0, 0] [128, 4, 32, 1] [1, 1, 1, 1] : tensor<128x4x32xf32> into tensor<128x4x32x2xf32>
  %inserted_slice_1 = tensor.insert_slice %1#1 into %inserted_slice[0, 0, 0, 1] [128, 4, 32, 1] [1, 1, 1, 1] : tensor<128x4x32xf32> into tensor<128x4x32x2xf32>
  %collapsed = tensor.collapse_shape %inserted_slice_1 [[0], [1], [2, 3]] : tensor<128x4x32x2xf32> into tensor<128x4x64xf32>
  return %collapsed : tensor<128x4x64xf32>
}
