// LayerNorm of Flax by JAX: the variance is E[x * x] - E[x]^2 but at least 0, and the gain is multiplied with rsqrt first.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d0, 0)>
#map4 = affine_map<(d0, d1) -> (d1)>
#map5 = affine_map<(d0, d1) -> (0, d1)>
func.func @main(%arg0: tensor<128x256xbf16>, %arg1: tensor<256xf32>, %arg2: tensor<256xf32>) -> tensor<128x256xbf16> {
  %cst = arith.constant dense<0.000000e+00> : tensor<f32>
  %cst_0 = arith.constant dense<2.560000e+02> : tensor<f32>
  %cst_1 = arith.constant dense<9.99999997E-7> : tensor<f32>
  %0 = tensor.empty() : tensor<128x256xf32>
  %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<128x256xbf16>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %35 = arith.extf %in : bf16 to f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %extracted = tensor.extract %cst[] : tensor<f32>
  %2 = tensor.empty() : tensor<128xf32>
  %3 = linalg.fill ins(%extracted : f32) outs(%2 : tensor<128xf32>) -> tensor<128xf32>
  %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%1 : tensor<128x256xf32>) outs(%3 : tensor<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<128xf32>
  %5 = tensor.empty() : tensor<128x1xf32>
  %6 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<128xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%6, %7 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.divf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %1 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.mulf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %extracted_2 = tensor.extract %cst[] : tensor<f32>
  %10 = linalg.fill ins(%extracted_2 : f32) outs(%2 : tensor<128xf32>) -> tensor<128xf32>
  %11 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "reduction"]} ins(%9 : tensor<128x256xf32>) outs(%10 : tensor<128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = arith.addf %out, %in : f32
    linalg.yield %35 : f32
  } -> tensor<128xf32>
  %12 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<128xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %13 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_0 : tensor<f32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %14 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %13 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.divf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %15 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst : tensor<f32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %8 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.mulf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%14, %16 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.subf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%15, %17 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.maximumf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %19 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%cst_1 : tensor<f32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x1xf32>
  %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%18, %19 : tensor<128x1xf32>, tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.addf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<128x1xf32>) outs(%5 : tensor<128x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %35 = math.rsqrt %in : f32
    linalg.yield %35 : f32
  } -> tensor<128x1xf32>
  %22 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<128x1xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x256xf32>
  %23 = tensor.empty() : tensor<1x256xf32>
  %24 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<256xf32>) outs(%23 : tensor<1x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x256xf32>
  %25 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%24 : tensor<1x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x256xf32>
  %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %25 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.mulf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %27 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<128x1xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x256xf32>
  %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %27 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.subf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %29 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%28, %26 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.mulf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %30 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<256xf32>) outs(%23 : tensor<1x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x256xf32>
  %31 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<1x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<128x256xf32>
  %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%29, %31 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%0 : tensor<128x256xf32>) {
  ^bb0(%in: f32, %in_3: f32, %out: f32):
    %35 = arith.addf %in, %in_3 : f32
    linalg.yield %35 : f32
  } -> tensor<128x256xf32>
  %33 = tensor.empty() : tensor<128x256xbf16>
  %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<128x256xf32>) outs(%33 : tensor<128x256xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %35 = arith.truncf %in : f32 to bf16
    linalg.yield %35 : bf16
  } -> tensor<128x256xbf16>
  return %34 : tensor<128x256xbf16>
}
