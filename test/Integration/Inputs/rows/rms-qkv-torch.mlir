// RMSNorm in front of the projections of queries, keys and values, by torch-mlir.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (0, d1, 0)>
#map3 = affine_map<(d0, d1, d2) -> (d2)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
func.func @main(%arg0: tensor<1x128x256xbf16>, %arg1: tensor<256xbf16> {trn.param = "g"}, %arg2: tensor<256x256xbf16> {trn.param = "wq"}, %arg3: tensor<128x256xbf16> {trn.param = "wk"}, %arg4: tensor<128x256xbf16> {trn.param = "wv"}) -> (tensor<1x128x256xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>) {
  %c2_i64 = arith.constant 2 : i64
  %cst = arith.constant 0.000000e+00 : f32
  %cst_0 = arith.constant 2.560000e+02 : f32
  %cst_1 = arith.constant 1.000000e-05 : f64
  %0 = tensor.empty() : tensor<1x128x256xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x128x256xbf16>) outs(%0 : tensor<1x128x256xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %31 = arith.extf %in : bf16 to f32
    linalg.yield %31 : f32
  } -> tensor<1x128x256xf32>
  %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<1x128x256xf32>) outs(%0 : tensor<1x128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.fpowi %in, %c2_i64 : f32, i64
    linalg.yield %31 : f32
  } -> tensor<1x128x256xf32>
  %3 = tensor.empty() : tensor<1x128x1xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%3 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
  %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2 : tensor<1x128x256xf32>) outs(%4 : tensor<1x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.addf %in, %out : f32
    linalg.yield %31 : f32
  } -> tensor<1x128x1xf32>
  %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%5 : tensor<1x128x1xf32>) outs(%3 : tensor<1x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.divf %in, %cst_0 : f32
    linalg.yield %31 : f32
  } -> tensor<1x128x1xf32>
  %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<1x128x1xf32>) outs(%3 : tensor<1x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = arith.truncf %cst_1 : f64 to f32
    %32 = arith.addf %in, %31 : f32
    linalg.yield %32 : f32
  } -> tensor<1x128x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<1x128x1xf32>) outs(%3 : tensor<1x128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %31 = math.rsqrt %in : f32
    linalg.yield %31 : f32
  } -> tensor<1x128x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %8 : tensor<1x128x256xf32>, tensor<1x128x1xf32>) outs(%0 : tensor<1x128x256xf32>) {
  ^bb0(%in: f32, %in_4: f32, %out: f32):
    %31 = arith.mulf %in, %in_4 : f32
    linalg.yield %31 : f32
  } -> tensor<1x128x256xf32>
  %10 = tensor.empty() : tensor<1x128x256xbf16>
  %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%9 : tensor<1x128x256xf32>) outs(%10 : tensor<1x128x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<1x128x256xbf16>
  %12 = linalg.generic {indexing_maps = [#map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1, %11 : tensor<256xbf16>, tensor<1x128x256xbf16>) outs(%10 : tensor<1x128x256xbf16>) {
  ^bb0(%in: bf16, %in_4: bf16, %out: bf16):
    %31 = arith.mulf %in, %in_4 : bf16
    linalg.yield %31 : bf16
  } -> tensor<1x128x256xbf16>
  %13 = tensor.empty() : tensor<256x256xbf16>
  %transposed = linalg.transpose ins(%arg2 : tensor<256x256xbf16>) outs(%13 : tensor<256x256xbf16>) permutation = [1, 0]
  %14 = tensor.empty() : tensor<1x256x256xbf16>
  %15 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed : tensor<256x256xbf16>) outs(%14 : tensor<1x256x256xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x256x256xbf16>
  %16 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %17 = linalg.batch_matmul ins(%12, %15 : tensor<1x128x256xbf16>, tensor<1x256x256xbf16>) outs(%16 : tensor<1x128x256xf32>) -> tensor<1x128x256xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<1x128x256xf32>) outs(%10 : tensor<1x128x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<1x128x256xbf16>
  %19 = tensor.empty() : tensor<256x128xbf16>
  %transposed_2 = linalg.transpose ins(%arg3 : tensor<128x256xbf16>) outs(%19 : tensor<256x128xbf16>) permutation = [1, 0]
  %20 = tensor.empty() : tensor<1x256x128xbf16>
  %21 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_2 : tensor<256x128xbf16>) outs(%20 : tensor<1x256x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x256x128xbf16>
  %22 = tensor.empty() : tensor<1x128x128xf32>
  %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
  %24 = linalg.batch_matmul ins(%12, %21 : tensor<1x128x256xbf16>, tensor<1x256x128xbf16>) outs(%23 : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
  %25 = tensor.empty() : tensor<1x128x128xbf16>
  %26 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<1x128x128xf32>) outs(%25 : tensor<1x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<1x128x128xbf16>
  %transposed_3 = linalg.transpose ins(%arg4 : tensor<128x256xbf16>) outs(%19 : tensor<256x128xbf16>) permutation = [1, 0]
  %27 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%transposed_3 : tensor<256x128xbf16>) outs(%20 : tensor<1x256x128xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    linalg.yield %in : bf16
  } -> tensor<1x256x128xbf16>
  %28 = linalg.fill ins(%cst : f32) outs(%22 : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
  %29 = linalg.batch_matmul ins(%12, %27 : tensor<1x128x256xbf16>, tensor<1x256x128xbf16>) outs(%28 : tensor<1x128x128xf32>) -> tensor<1x128x128xf32>
  %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%29 : tensor<1x128x128xf32>) outs(%25 : tensor<1x128x128xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %31 = arith.truncf %in : f32 to bf16
    linalg.yield %31 : bf16
  } -> tensor<1x128x128xbf16>
  return %18, %26, %30 : tensor<1x128x256xbf16>, tensor<1x128x128xbf16>, tensor<1x128x128xbf16>
}
