// The same with a dimension of three behind the heads, as BLOOM has it, and sums onto tensors that tensor.splat makes.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
#map4 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map5 = affine_map<(d0, d1, d2) -> (d2, d0)>
#map6 = affine_map<(d0, d1, d2) -> (d1, d0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d2, d1, d4)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d2, d0, d4)>
#map10 = affine_map<(d0, d1, d2, d3, d4) -> (d3, d2, d1, d0)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map12 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, d3)>
#map13 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#map14 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d1)>
#map15 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map16 = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
#map17 = affine_map<(d0, d1, d2) -> (d2, d1)>
module {
  func.func @main(%arg0: tensor<2x25x64xf32>, %arg1: tensor<1x4x1x25xf32>, %arg2: tensor<64xf32>, %arg3: tensor<64xf32>, %arg4: tensor<192x64xf32>, %arg5: tensor<192xf32>, %arg6: tensor<64x64xf32>, %arg7: tensor<64xf32>) -> tensor<2x25x64xf32> {
    %cst = arith.constant dense<0.000000e+00> : tensor<2x25xf32>
    %reduced = linalg.reduce { arith.addf } ins(%arg0 : tensor<2x25x64xf32>) outs(%cst : tensor<2x25xf32>) dimensions = [2] 
    %expanded = tensor.expand_shape %reduced [[0], [1, 2]] output_shape [2, 25, 1] : tensor<2x25xf32> into tensor<2x25x1xf32>
    %0 = tensor.empty() : tensor<2x25x1xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<2x25x1xf32>) outs(%0 : tensor<2x25x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_42 = arith.constant 6.400000e+01 : f32
      %54 = arith.divf %in, %cst_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x1xf32>
    %2 = tensor.empty() : tensor<2x25x64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %1 : tensor<2x25x64xf32>, tensor<2x25x1xf32>) outs(%2 : tensor<2x25x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.subf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x64xf32>
    %4 = arith.mulf %3, %3 : tensor<2x25x64xf32>
    %cst_0 = arith.constant 0.000000e+00 : f32
    %5 = tensor.empty() : tensor<2x25xf32>
    %6 = linalg.fill ins(%cst_0 : f32) outs(%5 : tensor<2x25xf32>) -> tensor<2x25xf32>
    %reduced_1 = linalg.reduce { arith.addf } ins(%4 : tensor<2x25x64xf32>) outs(%6 : tensor<2x25xf32>) dimensions = [2] 
    %expanded_2 = tensor.expand_shape %reduced_1 [[0], [1, 2]] output_shape [2, 25, 1] : tensor<2x25xf32> into tensor<2x25x1xf32>
    %cst_3 = arith.constant dense<1.562500e-02> : tensor<2x25x1xf32>
    %7 = tensor.empty() : tensor<2x25x1xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_2, %cst_3 : tensor<2x25x1xf32>, tensor<2x25x1xf32>) outs(%7 : tensor<2x25x1xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.mulf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x1xf32>
    %9 = tensor.empty() : tensor<2x25x1xf32>
    %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8 : tensor<2x25x1xf32>) outs(%9 : tensor<2x25x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_42 = arith.constant 9.99999974E-6 : f32
      %54 = arith.addf %in, %cst_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x1xf32>
    %11 = tensor.empty() : tensor<2x25x1xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x25x1xf32>) outs(%11 : tensor<2x25x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %54 = math.rsqrt %in : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x1xf32>
    %13 = tensor.empty() : tensor<2x25x64xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %12 : tensor<2x25x64xf32>, tensor<2x25x1xf32>) outs(%13 : tensor<2x25x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.mulf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x64xf32>
    %15 = tensor.empty() : tensor<2x25x64xf32>
    %broadcasted = linalg.broadcast ins(%arg2 : tensor<64xf32>) outs(%15 : tensor<2x25x64xf32>) dimensions = [0, 1] 
    %16 = tensor.empty() : tensor<2x25x64xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%14, %broadcasted : tensor<2x25x64xf32>, tensor<2x25x64xf32>) outs(%16 : tensor<2x25x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.mulf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x64xf32>
    %18 = tensor.empty() : tensor<2x25x64xf32>
    %broadcasted_4 = linalg.broadcast ins(%arg3 : tensor<64xf32>) outs(%18 : tensor<2x25x64xf32>) dimensions = [0, 1] 
    %19 = tensor.empty() : tensor<2x25x64xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17, %broadcasted_4 : tensor<2x25x64xf32>, tensor<2x25x64xf32>) outs(%19 : tensor<2x25x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.addf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x64xf32>
    %21 = tensor.empty() : tensor<64x192xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<192x64xf32>) outs(%21 : tensor<64x192xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x192xf32>
    %collapsed = tensor.collapse_shape %20 [[0, 1], [2]] : tensor<2x25x64xf32> into tensor<50x64xf32>
    %cst_5 = arith.constant dense<0.000000e+00> : tensor<50x192xf32>
    %23 = linalg.contract indexing_maps = [#map4, #map5, #map6] ins(%collapsed, %22 : tensor<50x64xf32>, tensor<64x192xf32>) outs(%cst_5 : tensor<50x192xf32>) -> tensor<50x192xf32>
    %expanded_6 = tensor.expand_shape %23 [[0, 1], [2]] output_shape [2, 25, 192] : tensor<50x192xf32> into tensor<2x25x192xf32>
    %24 = tensor.empty() : tensor<2x25x192xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_6, %arg5 : tensor<2x25x192xf32>, tensor<192xf32>) outs(%24 : tensor<2x25x192xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.addf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x192xf32>
    %expanded_7 = tensor.expand_shape %25 [[0], [1], [2, 3, 4]] output_shape [2, 25, 4, 3, 16] : tensor<2x25x192xf32> into tensor<2x25x4x3x16xf32>
    %extracted_slice = tensor.extract_slice %expanded_7[0, 0, 0, 0, 0] [2, 25, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<2x25x4x3x16xf32> to tensor<2x25x4x1x16xf32>
    %collapsed_8 = tensor.collapse_shape %extracted_slice [[0], [1], [2], [3, 4]] : tensor<2x25x4x1x16xf32> into tensor<2x25x4x16xf32>
    %26 = tensor.empty() : tensor<2x4x25x16xf32>
    %transposed = linalg.transpose ins(%collapsed_8 : tensor<2x25x4x16xf32>) outs(%26 : tensor<2x4x25x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice_9 = tensor.extract_slice %expanded_7[0, 0, 0, 1, 0] [2, 25, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<2x25x4x3x16xf32> to tensor<2x25x4x1x16xf32>
    %collapsed_10 = tensor.collapse_shape %extracted_slice_9 [[0], [1], [2], [3, 4]] : tensor<2x25x4x1x16xf32> into tensor<2x25x4x16xf32>
    %27 = tensor.empty() : tensor<2x4x25x16xf32>
    %transposed_11 = linalg.transpose ins(%collapsed_10 : tensor<2x25x4x16xf32>) outs(%27 : tensor<2x4x25x16xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice_12 = tensor.extract_slice %expanded_7[0, 0, 0, 2, 0] [2, 25, 4, 1, 16] [1, 1, 1, 1, 1] : tensor<2x25x4x3x16xf32> to tensor<2x25x4x1x16xf32>
    %collapsed_13 = tensor.collapse_shape %extracted_slice_12 [[0], [1], [2], [3, 4]] : tensor<2x25x4x1x16xf32> into tensor<2x25x4x16xf32>
    %28 = tensor.empty() : tensor<2x4x25x16xf32>
    %transposed_14 = linalg.transpose ins(%collapsed_13 : tensor<2x25x4x16xf32>) outs(%28 : tensor<2x4x25x16xf32>) permutation = [0, 2, 1, 3] 
    %cst_15 = arith.constant 0.000000e+00 : f32
    %splat = tensor.splat %cst_15 : tensor<2x4x25x25xf32>
    %29 = linalg.generic {indexing_maps = [#map8, #map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed, %transposed_11 : tensor<2x4x25x16xf32>, tensor<2x4x25x16xf32>) outs(%splat : tensor<2x4x25x25xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.mulf %in, %in_42 : f32
      %55 = arith.addf %out, %54 : f32
      linalg.yield %55 : f32
    } -> tensor<2x4x25x25xf32>
    %cst_16 = arith.constant dense<2.500000e-01> : tensor<2x4x25x25xf32>
    %30 = tensor.empty() : tensor<2x4x25x25xf32>
    %mapped = linalg.map { arith.mulf } ins(%29, %cst_16 : tensor<2x4x25x25xf32>, tensor<2x4x25x25xf32>) outs(%30 : tensor<2x4x25x25xf32>)
    %31 = tensor.empty() : tensor<2x4x25x25xf32>
    %32 = linalg.generic {indexing_maps = [#map11, #map12, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%mapped, %arg1 : tensor<2x4x25x25xf32>, tensor<1x4x1x25xf32>) outs(%31 : tensor<2x4x25x25xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.addf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x4x25x25xf32>
    %33 = tensor.empty() : tensor<25x25xf32>
    %34 = linalg.generic {indexing_maps = [#map2], iterator_types = ["parallel", "parallel"]} outs(%33 : tensor<25x25xf32>) {
    ^bb0(%out: f32):
      %54 = linalg.index 0 : index
      %55 = linalg.index 1 : index
      %56 = arith.cmpi sge, %54, %55 : index
      %cst_42 = arith.constant 0.000000e+00 : f32
      %cst_43 = arith.constant 0xFF800000 : f32
      %57 = arith.select %56, %cst_42, %cst_43 : f32
      linalg.yield %57 : f32
    } -> tensor<25x25xf32>
    %expanded_17 = tensor.expand_shape %34 [[0, 1, 2], [3]] output_shape [1, 1, 25, 25] : tensor<25x25xf32> into tensor<1x1x25x25xf32>
    %collapsed_18 = tensor.collapse_shape %expanded_17 [[0, 1, 2], [3]] : tensor<1x1x25x25xf32> into tensor<25x25xf32>
    %35 = tensor.empty() : tensor<2x4x25x25xf32>
    %broadcasted_19 = linalg.broadcast ins(%collapsed_18 : tensor<25x25xf32>) outs(%35 : tensor<2x4x25x25xf32>) dimensions = [0, 1] 
    %36 = tensor.empty() : tensor<2x4x25x25xf32>
    %37 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %broadcasted_19 : tensor<2x4x25x25xf32>, tensor<2x4x25x25xf32>) outs(%36 : tensor<2x4x25x25xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.addf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x4x25x25xf32>
    %cst_20 = arith.constant 0xFF800000 : f32
    %splat_21 = tensor.splat %cst_20 : tensor<2x4x25xf32>
    %reduced_22 = linalg.reduce { arith.maximumf } ins(%37 : tensor<2x4x25x25xf32>) outs(%splat_21 : tensor<2x4x25xf32>) dimensions = [3] 
    %expanded_23 = tensor.expand_shape %reduced_22 [[0], [1], [2, 3]] output_shape [2, 4, 25, 1] : tensor<2x4x25xf32> into tensor<2x4x25x1xf32>
    %collapsed_24 = tensor.collapse_shape %expanded_23 [[0], [1], [2, 3]] : tensor<2x4x25x1xf32> into tensor<2x4x25xf32>
    %38 = tensor.empty() : tensor<2x4x25x25xf32>
    %broadcasted_25 = linalg.broadcast ins(%collapsed_24 : tensor<2x4x25xf32>) outs(%38 : tensor<2x4x25x25xf32>) dimensions = [3] 
    %39 = tensor.empty() : tensor<2x4x25x25xf32>
    %40 = linalg.generic {indexing_maps = [#map11, #map11, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %broadcasted_25 : tensor<2x4x25x25xf32>, tensor<2x4x25x25xf32>) outs(%39 : tensor<2x4x25x25xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.subf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x4x25x25xf32>
    %41 = tensor.empty() : tensor<2x4x25x25xf32>
    %42 = linalg.exp ins(%40 : tensor<2x4x25x25xf32>) outs(%41 : tensor<2x4x25x25xf32>) -> tensor<2x4x25x25xf32>
    %cst_26 = arith.constant 0.000000e+00 : f32
    %splat_27 = tensor.splat %cst_26 : tensor<2x4x25xf32>
    %reduced_28 = linalg.reduce { arith.addf } ins(%42 : tensor<2x4x25x25xf32>) outs(%splat_27 : tensor<2x4x25xf32>) dimensions = [3] 
    %expanded_29 = tensor.expand_shape %reduced_28 [[0], [1], [2, 3]] output_shape [2, 4, 25, 1] : tensor<2x4x25xf32> into tensor<2x4x25x1xf32>
    %43 = tensor.empty() : tensor<2x4x25x25xf32>
    %44 = linalg.generic {indexing_maps = [#map11, #map13, #map11], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %expanded_29 : tensor<2x4x25x25xf32>, tensor<2x4x25x1xf32>) outs(%43 : tensor<2x4x25x25xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.divf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x4x25x25xf32>
    %collapsed_30 = tensor.collapse_shape %44 [[0, 1], [2], [3]] : tensor<2x4x25x25xf32> into tensor<8x25x25xf32>
    %collapsed_31 = tensor.collapse_shape %transposed_14 [[0, 1], [2], [3]] : tensor<2x4x25x16xf32> into tensor<8x25x16xf32>
    %cst_32 = arith.constant 0.000000e+00 : f32
    %splat_33 = tensor.splat %cst_32 : tensor<8x25x16xf32>
    %45 = linalg.contract indexing_maps = [#map14, #map15, #map16] ins(%collapsed_30, %collapsed_31 : tensor<8x25x25xf32>, tensor<8x25x16xf32>) outs(%splat_33 : tensor<8x25x16xf32>) -> tensor<8x25x16xf32>
    %expanded_34 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [2, 4, 25, 16] : tensor<8x25x16xf32> into tensor<2x4x25x16xf32>
    %46 = tensor.empty() : tensor<2x25x4x16xf32>
    %transposed_35 = linalg.transpose ins(%expanded_34 : tensor<2x4x25x16xf32>) outs(%46 : tensor<2x25x4x16xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_36 = tensor.collapse_shape %transposed_35 [[0], [1], [2, 3]] : tensor<2x25x4x16xf32> into tensor<2x25x64xf32>
    %47 = tensor.empty() : tensor<64x64xf32>
    %48 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg6 : tensor<64x64xf32>) outs(%47 : tensor<64x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x64xf32>
    %collapsed_37 = tensor.collapse_shape %collapsed_36 [[0, 1], [2]] : tensor<2x25x64xf32> into tensor<50x64xf32>
    %cst_38 = arith.constant 0.000000e+00 : f32
    %splat_39 = tensor.splat %cst_38 : tensor<50x64xf32>
    %49 = linalg.contract indexing_maps = [#map17, #map6, #map5] ins(%collapsed_37, %48 : tensor<50x64xf32>, tensor<64x64xf32>) outs(%splat_39 : tensor<50x64xf32>) -> tensor<50x64xf32>
    %expanded_40 = tensor.expand_shape %49 [[0, 1], [2]] output_shape [2, 25, 64] : tensor<50x64xf32> into tensor<2x25x64xf32>
    %50 = tensor.empty() : tensor<2x25x64xf32>
    %broadcasted_41 = linalg.broadcast ins(%arg7 : tensor<64xf32>) outs(%50 : tensor<2x25x64xf32>) dimensions = [0, 1] 
    %51 = tensor.empty() : tensor<2x25x64xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_40, %broadcasted_41 : tensor<2x25x64xf32>, tensor<2x25x64xf32>) outs(%51 : tensor<2x25x64xf32>) {
    ^bb0(%in: f32, %in_42: f32, %out: f32):
      %54 = arith.addf %in, %in_42 : f32
      linalg.yield %54 : f32
    } -> tensor<2x25x64xf32>
    %53 = arith.addf %arg0, %52 : tensor<2x25x64xf32>
    return %53 : tensor<2x25x64xf32>
  }
}

