// Each head has a number beside its scores that takes its share of the softmax, as in gpt-oss: it is put behind them, and dropped again.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, 0, d3, d4)>
#map3 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, d3)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<1x32x64xf32>, %arg1: tensor<64x64xf32>, %arg2: tensor<64xf32>, %arg3: tensor<32x64xf32>, %arg4: tensor<32xf32>, %arg5: tensor<32x64xf32>, %arg6: tensor<32xf32>, %arg7: tensor<4xf32>, %arg8: tensor<64x64xf32>, %arg9: tensor<64xf32>) -> tensor<1x32x64xf32> {
    %0 = tensor.empty() : tensor<64x64xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<64x64xf32>) outs(%0 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<32x64xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<32x64xf32>, tensor<64x64xf32>) outs(%2 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2]] output_shape [1, 32, 64] : tensor<32x64xf32> into tensor<1x32x64xf32>
    %4 = tensor.empty() : tensor<1x32x64xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded, %arg2 : tensor<1x32x64xf32>, tensor<64xf32>) outs(%4 : tensor<1x32x64xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.addf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x32x64xf32>
    %expanded_0 = tensor.expand_shape %5 [[0], [1], [2, 3]] output_shape [1, 32, 4, 16] : tensor<1x32x64xf32> into tensor<1x32x4x16xf32>
    %6 = tensor.empty() : tensor<1x4x32x16xf32>
    %transposed_1 = linalg.transpose ins(%expanded_0 : tensor<1x32x4x16xf32>) outs(%6 : tensor<1x4x32x16xf32>) permutation = [0, 2, 1, 3] 
    %7 = tensor.empty() : tensor<64x32xf32>
    %transposed_2 = linalg.transpose ins(%arg3 : tensor<32x64xf32>) outs(%7 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %8 = tensor.empty() : tensor<32x32xf32>
    %9 = linalg.fill ins(%cst_4 : f32) outs(%8 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %10 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%9 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_5 = tensor.expand_shape %10 [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf32> into tensor<1x32x32xf32>
    %11 = tensor.empty() : tensor<1x32x32xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_5, %arg4 : tensor<1x32x32xf32>, tensor<32xf32>) outs(%11 : tensor<1x32x32xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.addf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x32x32xf32>
    %expanded_6 = tensor.expand_shape %12 [[0], [1], [2, 3]] output_shape [1, 32, 2, 16] : tensor<1x32x32xf32> into tensor<1x32x2x16xf32>
    %13 = tensor.empty() : tensor<1x2x32x16xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x32x2x16xf32>) outs(%13 : tensor<1x2x32x16xf32>) permutation = [0, 2, 1, 3] 
    %14 = tensor.empty() : tensor<64x32xf32>
    %transposed_8 = linalg.transpose ins(%arg5 : tensor<32x64xf32>) outs(%14 : tensor<64x32xf32>) permutation = [1, 0] 
    %collapsed_9 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %15 = tensor.empty() : tensor<32x32xf32>
    %16 = linalg.fill ins(%cst_10 : f32) outs(%15 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %17 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%16 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %expanded_11 = tensor.expand_shape %17 [[0, 1], [2]] output_shape [1, 32, 32] : tensor<32x32xf32> into tensor<1x32x32xf32>
    %18 = tensor.empty() : tensor<1x32x32xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11, %arg6 : tensor<1x32x32xf32>, tensor<32xf32>) outs(%18 : tensor<1x32x32xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.addf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x32x32xf32>
    %expanded_12 = tensor.expand_shape %19 [[0], [1], [2, 3]] output_shape [1, 32, 2, 16] : tensor<1x32x32xf32> into tensor<1x32x2x16xf32>
    %20 = tensor.empty() : tensor<1x2x32x16xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x32x2x16xf32>) outs(%20 : tensor<1x2x32x16xf32>) permutation = [0, 2, 1, 3] 
    %expanded_14 = tensor.expand_shape %transposed_7 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 32, 16] : tensor<1x2x32x16xf32> into tensor<1x2x1x32x16xf32>
    %21 = tensor.empty() : tensor<1x2x2x32x16xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_14 : tensor<1x2x1x32x16xf32>) outs(%21 : tensor<1x2x2x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x32x16xf32>
    %collapsed_15 = tensor.collapse_shape %22 [[0], [1, 2], [3], [4]] : tensor<1x2x2x32x16xf32> into tensor<1x4x32x16xf32>
    %23 = tensor.empty() : tensor<1x4x16x32xf32>
    %transposed_16 = linalg.transpose ins(%collapsed_15 : tensor<1x4x32x16xf32>) outs(%23 : tensor<1x4x16x32xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_17 = tensor.collapse_shape %transposed_1 [[0, 1], [2], [3]] : tensor<1x4x32x16xf32> into tensor<4x32x16xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x4x16x32xf32> into tensor<4x16x32xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %24 = tensor.empty() : tensor<4x32x32xf32>
    %25 = linalg.fill ins(%cst_19 : f32) outs(%24 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %26 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<4x32x16xf32>, tensor<4x16x32xf32>) outs(%25 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %expanded_20 = tensor.expand_shape %26 [[0, 1], [2], [3]] output_shape [1, 4, 32, 32] : tensor<4x32x32xf32> into tensor<1x4x32x32xf32>
    %27 = tensor.empty() : tensor<1x4x32x32xf32>
    %28 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x4x32x32xf32>) outs(%27 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_38 = arith.constant 2.500000e-01 : f32
      %64 = arith.mulf %in, %cst_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x32xf32>
    %29 = tensor.empty() : tensor<32x32xf32>
    %30 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel", "parallel"]} outs(%29 : tensor<32x32xf32>) {
    ^bb0(%out: f32):
      %64 = linalg.index 0 : index
      %65 = linalg.index 1 : index
      %66 = arith.cmpi sge, %64, %65 : index
      %c10 = arith.constant 10 : index
      %67 = arith.addi %65, %c10 : index
      %68 = arith.cmpi slt, %64, %67 : index
      %69 = arith.andi %66, %68 : i1
      %cst_38 = arith.constant 0.000000e+00 : f32
      %cst_39 = arith.constant 0xFF800000 : f32
      %70 = arith.select %69, %cst_38, %cst_39 : f32
      linalg.yield %70 : f32
    } -> tensor<32x32xf32>
    %expanded_21 = tensor.expand_shape %30 [[0, 1, 2], [3]] output_shape [1, 1, 32, 32] : tensor<32x32xf32> into tensor<1x1x32x32xf32>
    %31 = tensor.empty() : tensor<1x4x32x32xf32>
    %32 = linalg.generic {indexing_maps = [#map4, #map6, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %expanded_21 : tensor<1x4x32x32xf32>, tensor<1x1x32x32xf32>) outs(%31 : tensor<1x4x32x32xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.addf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x32xf32>
    %expanded_22 = tensor.expand_shape %arg7 [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
    %33 = tensor.empty() : tensor<1x4x32x1xf32>
    %34 = linalg.generic {indexing_maps = [#map7, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_22 : tensor<1x4x1x1xf32>) outs(%33 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x32x1xf32>
    %concat = tensor.concat dim(3) %32, %34 : (tensor<1x4x32x32xf32>, tensor<1x4x32x1xf32>) -> tensor<1x4x32x33xf32>
    %cst_23 = arith.constant 0xFF800000 : f32
    %35 = tensor.empty() : tensor<1x4x32x1xf32>
    %36 = linalg.fill ins(%cst_23 : f32) outs(%35 : tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
    %37 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%concat : tensor<1x4x32x33xf32>) outs(%36 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.maximumf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x1xf32>
    %38 = tensor.empty() : tensor<1x4x32x33xf32>
    %39 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%concat, %37 : tensor<1x4x32x33xf32>, tensor<1x4x32x1xf32>) outs(%38 : tensor<1x4x32x33xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.subf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x33xf32>
    %cst_24 = arith.constant 0xFF800000 : f32
    %40 = tensor.empty() : tensor<1x4x32x1xf32>
    %41 = linalg.fill ins(%cst_24 : f32) outs(%40 : tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%39 : tensor<1x4x32x33xf32>) outs(%41 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.maximumf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x1xf32>
    %43 = tensor.empty() : tensor<1x4x32x33xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %42 : tensor<1x4x32x33xf32>, tensor<1x4x32x1xf32>) outs(%43 : tensor<1x4x32x33xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.subf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x33xf32>
    %45 = tensor.empty() : tensor<1x4x32x33xf32>
    %46 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x4x32x33xf32>) outs(%45 : tensor<1x4x32x33xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = math.exp %in : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x33xf32>
    %cst_25 = arith.constant 0.000000e+00 : f32
    %47 = tensor.empty() : tensor<1x4x32x1xf32>
    %48 = linalg.fill ins(%cst_25 : f32) outs(%47 : tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
    %49 = linalg.generic {indexing_maps = [#map4, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%46 : tensor<1x4x32x33xf32>) outs(%48 : tensor<1x4x32x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %64 = arith.addf %in, %out : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x1xf32>
    %50 = tensor.empty() : tensor<1x4x32x33xf32>
    %51 = linalg.generic {indexing_maps = [#map4, #map8, #map4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %49 : tensor<1x4x32x33xf32>, tensor<1x4x32x1xf32>) outs(%50 : tensor<1x4x32x33xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.divf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x4x32x33xf32>
    %extracted_slice = tensor.extract_slice %51[0, 0, 0, 0] [1, 4, 32, 32] [1, 1, 1, 1] : tensor<1x4x32x33xf32> to tensor<1x4x32x32xf32>
    %expanded_26 = tensor.expand_shape %transposed_13 [[0], [1], [2, 3], [4]] output_shape [1, 2, 1, 32, 16] : tensor<1x2x32x16xf32> into tensor<1x2x1x32x16xf32>
    %52 = tensor.empty() : tensor<1x2x2x32x16xf32>
    %53 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded_26 : tensor<1x2x1x32x16xf32>) outs(%52 : tensor<1x2x2x32x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x2x2x32x16xf32>
    %collapsed_27 = tensor.collapse_shape %53 [[0], [1, 2], [3], [4]] : tensor<1x2x2x32x16xf32> into tensor<1x4x32x16xf32>
    %collapsed_28 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x4x32x32xf32> into tensor<4x32x32xf32>
    %collapsed_29 = tensor.collapse_shape %collapsed_27 [[0, 1], [2], [3]] : tensor<1x4x32x16xf32> into tensor<4x32x16xf32>
    %cst_30 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<4x32x16xf32>
    %55 = linalg.fill ins(%cst_30 : f32) outs(%54 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %56 = linalg.batch_matmul ins(%collapsed_28, %collapsed_29 : tensor<4x32x32xf32>, tensor<4x32x16xf32>) outs(%55 : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
    %expanded_31 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 4, 32, 16] : tensor<4x32x16xf32> into tensor<1x4x32x16xf32>
    %57 = tensor.empty() : tensor<1x32x4x16xf32>
    %transposed_32 = linalg.transpose ins(%expanded_31 : tensor<1x4x32x16xf32>) outs(%57 : tensor<1x32x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_33 = tensor.collapse_shape %transposed_32 [[0], [1], [2, 3]] : tensor<1x32x4x16xf32> into tensor<1x32x64xf32>
    %58 = tensor.empty() : tensor<64x64xf32>
    %transposed_34 = linalg.transpose ins(%arg8 : tensor<64x64xf32>) outs(%58 : tensor<64x64xf32>) permutation = [1, 0] 
    %collapsed_35 = tensor.collapse_shape %collapsed_33 [[0, 1], [2]] : tensor<1x32x64xf32> into tensor<32x64xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %59 = tensor.empty() : tensor<32x64xf32>
    %60 = linalg.fill ins(%cst_36 : f32) outs(%59 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %61 = linalg.matmul ins(%collapsed_35, %transposed_34 : tensor<32x64xf32>, tensor<64x64xf32>) outs(%60 : tensor<32x64xf32>) -> tensor<32x64xf32>
    %expanded_37 = tensor.expand_shape %61 [[0, 1], [2]] output_shape [1, 32, 64] : tensor<32x64xf32> into tensor<1x32x64xf32>
    %62 = tensor.empty() : tensor<1x32x64xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_37, %arg9 : tensor<1x32x64xf32>, tensor<64xf32>) outs(%62 : tensor<1x32x64xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %64 = arith.addf %in, %in_38 : f32
      linalg.yield %64 : f32
    } -> tensor<1x32x64xf32>
    return %63 : tensor<1x32x64xf32>
  }
}

