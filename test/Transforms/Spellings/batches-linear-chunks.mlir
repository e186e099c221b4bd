// Causal linear attention in chunks: conditions on rows and columns choose scores or zeros.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @main(%arg0: tensor<1x48x72xf32>, %arg1: tensor<72x72xf32>, %arg2: tensor<72x72xf32>, %arg3: tensor<72x72xf32>) -> (tensor<1x48x72xf32>, tensor<1x3x24x24xf32>) {
    %0 = tensor.empty() : tensor<72x72xf32>
    %transposed = linalg.transpose ins(%arg1 : tensor<72x72xf32>) outs(%0 : tensor<72x72xf32>) permutation = [1, 0] 
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x48x72xf32> into tensor<48x72xf32>
    %cst = arith.constant 0.000000e+00 : f32
    %1 = tensor.empty() : tensor<48x72xf32>
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %3 = linalg.matmul ins(%collapsed, %transposed : tensor<48x72xf32>, tensor<72x72xf32>) outs(%2 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %expanded = tensor.expand_shape %3 [[0, 1], [2]] output_shape [1, 48, 72] : tensor<48x72xf32> into tensor<1x48x72xf32>
    %expanded_0 = tensor.expand_shape %expanded [[0], [1], [2, 3]] output_shape [1, 48, 3, 24] : tensor<1x48x72xf32> into tensor<1x48x3x24xf32>
    %4 = tensor.empty() : tensor<1x3x48x24xf32>
    %transposed_1 = linalg.transpose ins(%expanded_0 : tensor<1x48x3x24xf32>) outs(%4 : tensor<1x3x48x24xf32>) permutation = [0, 2, 1, 3] 
    %5 = tensor.empty() : tensor<72x72xf32>
    %transposed_2 = linalg.transpose ins(%arg2 : tensor<72x72xf32>) outs(%5 : tensor<72x72xf32>) permutation = [1, 0] 
    %collapsed_3 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x48x72xf32> into tensor<48x72xf32>
    %cst_4 = arith.constant 0.000000e+00 : f32
    %6 = tensor.empty() : tensor<48x72xf32>
    %7 = linalg.fill ins(%cst_4 : f32) outs(%6 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %8 = linalg.matmul ins(%collapsed_3, %transposed_2 : tensor<48x72xf32>, tensor<72x72xf32>) outs(%7 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %expanded_5 = tensor.expand_shape %8 [[0, 1], [2]] output_shape [1, 48, 72] : tensor<48x72xf32> into tensor<1x48x72xf32>
    %expanded_6 = tensor.expand_shape %expanded_5 [[0], [1], [2, 3]] output_shape [1, 48, 3, 24] : tensor<1x48x72xf32> into tensor<1x48x3x24xf32>
    %9 = tensor.empty() : tensor<1x3x48x24xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<1x48x3x24xf32>) outs(%9 : tensor<1x3x48x24xf32>) permutation = [0, 2, 1, 3] 
    %10 = tensor.empty() : tensor<72x72xf32>
    %transposed_8 = linalg.transpose ins(%arg3 : tensor<72x72xf32>) outs(%10 : tensor<72x72xf32>) permutation = [1, 0] 
    %collapsed_9 = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<1x48x72xf32> into tensor<48x72xf32>
    %cst_10 = arith.constant 0.000000e+00 : f32
    %11 = tensor.empty() : tensor<48x72xf32>
    %12 = linalg.fill ins(%cst_10 : f32) outs(%11 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %13 = linalg.matmul ins(%collapsed_9, %transposed_8 : tensor<48x72xf32>, tensor<72x72xf32>) outs(%12 : tensor<48x72xf32>) -> tensor<48x72xf32>
    %expanded_11 = tensor.expand_shape %13 [[0, 1], [2]] output_shape [1, 48, 72] : tensor<48x72xf32> into tensor<1x48x72xf32>
    %expanded_12 = tensor.expand_shape %expanded_11 [[0], [1], [2, 3]] output_shape [1, 48, 3, 24] : tensor<1x48x72xf32> into tensor<1x48x3x24xf32>
    %14 = tensor.empty() : tensor<1x3x48x24xf32>
    %transposed_13 = linalg.transpose ins(%expanded_12 : tensor<1x48x3x24xf32>) outs(%14 : tensor<1x3x48x24xf32>) permutation = [0, 2, 1, 3] 
    %extracted_slice = tensor.extract_slice %transposed_1[0, 0, 0, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_14 = tensor.extract_slice %transposed_7[0, 0, 0, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_15 = tensor.extract_slice %transposed_13[0, 0, 0, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %15 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_16 = linalg.transpose ins(%extracted_slice_14 : tensor<1x3x16x24xf32>) outs(%15 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_17 = tensor.collapse_shape %extracted_slice [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %cst_19 = arith.constant 0.000000e+00 : f32
    %16 = tensor.empty() : tensor<3x16x16xf32>
    %17 = linalg.fill ins(%cst_19 : f32) outs(%16 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %18 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<3x16x24xf32>, tensor<3x24x16xf32>) outs(%17 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %expanded_20 = tensor.expand_shape %18 [[0, 1], [2], [3]] output_shape [1, 3, 16, 16] : tensor<3x16x16xf32> into tensor<1x3x16x16xf32>
    %19 = tensor.empty() : tensor<1x3x16x16xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_20 : tensor<1x3x16x16xf32>) outs(%19 : tensor<1x3x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = linalg.index 0 : index
      %70 = linalg.index 1 : index
      %71 = linalg.index 2 : index
      %72 = linalg.index 3 : index
      %73 = arith.cmpi uge, %71, %72 : index
      %cst_74 = arith.constant 0.000000e+00 : f32
      %74 = arith.select %73, %in, %cst_74 : f32
      linalg.yield %74 : f32
    } -> tensor<1x3x16x16xf32>
    %collapsed_21 = tensor.collapse_shape %20 [[0, 1], [2], [3]] : tensor<1x3x16x16xf32> into tensor<3x16x16xf32>
    %collapsed_22 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_23 = arith.constant 0.000000e+00 : f32
    %21 = tensor.empty() : tensor<3x16x24xf32>
    %22 = linalg.fill ins(%cst_23 : f32) outs(%21 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %23 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<3x16x16xf32>, tensor<3x16x24xf32>) outs(%22 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %expanded_24 = tensor.expand_shape %23 [[0, 1], [2], [3]] output_shape [1, 3, 16, 24] : tensor<3x16x24xf32> into tensor<1x3x16x24xf32>
    %24 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_25 = linalg.transpose ins(%extracted_slice_14 : tensor<1x3x16x24xf32>) outs(%24 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_26 = tensor.collapse_shape %transposed_25 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %collapsed_27 = tensor.collapse_shape %extracted_slice_15 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_28 = arith.constant 0.000000e+00 : f32
    %25 = tensor.empty() : tensor<3x24x24xf32>
    %26 = linalg.fill ins(%cst_28 : f32) outs(%25 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %27 = linalg.batch_matmul ins(%collapsed_26, %collapsed_27 : tensor<3x24x16xf32>, tensor<3x16x24xf32>) outs(%26 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %expanded_29 = tensor.expand_shape %27 [[0, 1], [2], [3]] output_shape [1, 3, 24, 24] : tensor<3x24x24xf32> into tensor<1x3x24x24xf32>
    %extracted_slice_30 = tensor.extract_slice %transposed_1[0, 0, 16, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_31 = tensor.extract_slice %transposed_7[0, 0, 16, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_32 = tensor.extract_slice %transposed_13[0, 0, 16, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %28 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_33 = linalg.transpose ins(%extracted_slice_31 : tensor<1x3x16x24xf32>) outs(%28 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_34 = tensor.collapse_shape %extracted_slice_30 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %collapsed_35 = tensor.collapse_shape %transposed_33 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %cst_36 = arith.constant 0.000000e+00 : f32
    %29 = tensor.empty() : tensor<3x16x16xf32>
    %30 = linalg.fill ins(%cst_36 : f32) outs(%29 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %31 = linalg.batch_matmul ins(%collapsed_34, %collapsed_35 : tensor<3x16x24xf32>, tensor<3x24x16xf32>) outs(%30 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %expanded_37 = tensor.expand_shape %31 [[0, 1], [2], [3]] output_shape [1, 3, 16, 16] : tensor<3x16x16xf32> into tensor<1x3x16x16xf32>
    %32 = tensor.empty() : tensor<1x3x16x16xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_37 : tensor<1x3x16x16xf32>) outs(%32 : tensor<1x3x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = linalg.index 0 : index
      %70 = linalg.index 1 : index
      %71 = linalg.index 2 : index
      %72 = linalg.index 3 : index
      %73 = arith.cmpi uge, %71, %72 : index
      %cst_74 = arith.constant 0.000000e+00 : f32
      %74 = arith.select %73, %in, %cst_74 : f32
      linalg.yield %74 : f32
    } -> tensor<1x3x16x16xf32>
    %collapsed_38 = tensor.collapse_shape %33 [[0, 1], [2], [3]] : tensor<1x3x16x16xf32> into tensor<3x16x16xf32>
    %collapsed_39 = tensor.collapse_shape %extracted_slice_32 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_40 = arith.constant 0.000000e+00 : f32
    %34 = tensor.empty() : tensor<3x16x24xf32>
    %35 = linalg.fill ins(%cst_40 : f32) outs(%34 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %36 = linalg.batch_matmul ins(%collapsed_38, %collapsed_39 : tensor<3x16x16xf32>, tensor<3x16x24xf32>) outs(%35 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %expanded_41 = tensor.expand_shape %36 [[0, 1], [2], [3]] output_shape [1, 3, 16, 24] : tensor<3x16x24xf32> into tensor<1x3x16x24xf32>
    %collapsed_42 = tensor.collapse_shape %extracted_slice_30 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %collapsed_43 = tensor.collapse_shape %expanded_29 [[0, 1], [2], [3]] : tensor<1x3x24x24xf32> into tensor<3x24x24xf32>
    %cst_44 = arith.constant 0.000000e+00 : f32
    %37 = tensor.empty() : tensor<3x16x24xf32>
    %38 = linalg.fill ins(%cst_44 : f32) outs(%37 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %39 = linalg.batch_matmul ins(%collapsed_42, %collapsed_43 : tensor<3x16x24xf32>, tensor<3x24x24xf32>) outs(%38 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %expanded_45 = tensor.expand_shape %39 [[0, 1], [2], [3]] output_shape [1, 3, 16, 24] : tensor<3x16x24xf32> into tensor<1x3x16x24xf32>
    %40 = tensor.empty() : tensor<1x3x16x24xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_41, %expanded_45 : tensor<1x3x16x24xf32>, tensor<1x3x16x24xf32>) outs(%40 : tensor<1x3x16x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %69 = arith.addf %in, %in_74 : f32
      linalg.yield %69 : f32
    } -> tensor<1x3x16x24xf32>
    %42 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_46 = linalg.transpose ins(%extracted_slice_31 : tensor<1x3x16x24xf32>) outs(%42 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_47 = tensor.collapse_shape %transposed_46 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %collapsed_48 = tensor.collapse_shape %extracted_slice_32 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_49 = arith.constant 0.000000e+00 : f32
    %43 = tensor.empty() : tensor<3x24x24xf32>
    %44 = linalg.fill ins(%cst_49 : f32) outs(%43 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %45 = linalg.batch_matmul ins(%collapsed_47, %collapsed_48 : tensor<3x24x16xf32>, tensor<3x16x24xf32>) outs(%44 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %expanded_50 = tensor.expand_shape %45 [[0, 1], [2], [3]] output_shape [1, 3, 24, 24] : tensor<3x24x24xf32> into tensor<1x3x24x24xf32>
    %46 = tensor.empty() : tensor<1x3x24x24xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_29, %expanded_50 : tensor<1x3x24x24xf32>, tensor<1x3x24x24xf32>) outs(%46 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %69 = arith.addf %in, %in_74 : f32
      linalg.yield %69 : f32
    } -> tensor<1x3x24x24xf32>
    %extracted_slice_51 = tensor.extract_slice %transposed_1[0, 0, 32, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_52 = tensor.extract_slice %transposed_7[0, 0, 32, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %extracted_slice_53 = tensor.extract_slice %transposed_13[0, 0, 32, 0] [1, 3, 16, 24] [1, 1, 1, 1] : tensor<1x3x48x24xf32> to tensor<1x3x16x24xf32>
    %48 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_54 = linalg.transpose ins(%extracted_slice_52 : tensor<1x3x16x24xf32>) outs(%48 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_55 = tensor.collapse_shape %extracted_slice_51 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %collapsed_56 = tensor.collapse_shape %transposed_54 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %cst_57 = arith.constant 0.000000e+00 : f32
    %49 = tensor.empty() : tensor<3x16x16xf32>
    %50 = linalg.fill ins(%cst_57 : f32) outs(%49 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %51 = linalg.batch_matmul ins(%collapsed_55, %collapsed_56 : tensor<3x16x24xf32>, tensor<3x24x16xf32>) outs(%50 : tensor<3x16x16xf32>) -> tensor<3x16x16xf32>
    %expanded_58 = tensor.expand_shape %51 [[0, 1], [2], [3]] output_shape [1, 3, 16, 16] : tensor<3x16x16xf32> into tensor<1x3x16x16xf32>
    %52 = tensor.empty() : tensor<1x3x16x16xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_58 : tensor<1x3x16x16xf32>) outs(%52 : tensor<1x3x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %69 = linalg.index 0 : index
      %70 = linalg.index 1 : index
      %71 = linalg.index 2 : index
      %72 = linalg.index 3 : index
      %73 = arith.cmpi uge, %71, %72 : index
      %cst_74 = arith.constant 0.000000e+00 : f32
      %74 = arith.select %73, %in, %cst_74 : f32
      linalg.yield %74 : f32
    } -> tensor<1x3x16x16xf32>
    %collapsed_59 = tensor.collapse_shape %53 [[0, 1], [2], [3]] : tensor<1x3x16x16xf32> into tensor<3x16x16xf32>
    %collapsed_60 = tensor.collapse_shape %extracted_slice_53 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_61 = arith.constant 0.000000e+00 : f32
    %54 = tensor.empty() : tensor<3x16x24xf32>
    %55 = linalg.fill ins(%cst_61 : f32) outs(%54 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %56 = linalg.batch_matmul ins(%collapsed_59, %collapsed_60 : tensor<3x16x16xf32>, tensor<3x16x24xf32>) outs(%55 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %expanded_62 = tensor.expand_shape %56 [[0, 1], [2], [3]] output_shape [1, 3, 16, 24] : tensor<3x16x24xf32> into tensor<1x3x16x24xf32>
    %collapsed_63 = tensor.collapse_shape %extracted_slice_51 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %collapsed_64 = tensor.collapse_shape %47 [[0, 1], [2], [3]] : tensor<1x3x24x24xf32> into tensor<3x24x24xf32>
    %cst_65 = arith.constant 0.000000e+00 : f32
    %57 = tensor.empty() : tensor<3x16x24xf32>
    %58 = linalg.fill ins(%cst_65 : f32) outs(%57 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %59 = linalg.batch_matmul ins(%collapsed_63, %collapsed_64 : tensor<3x16x24xf32>, tensor<3x24x24xf32>) outs(%58 : tensor<3x16x24xf32>) -> tensor<3x16x24xf32>
    %expanded_66 = tensor.expand_shape %59 [[0, 1], [2], [3]] output_shape [1, 3, 16, 24] : tensor<3x16x24xf32> into tensor<1x3x16x24xf32>
    %60 = tensor.empty() : tensor<1x3x16x24xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_62, %expanded_66 : tensor<1x3x16x24xf32>, tensor<1x3x16x24xf32>) outs(%60 : tensor<1x3x16x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %69 = arith.addf %in, %in_74 : f32
      linalg.yield %69 : f32
    } -> tensor<1x3x16x24xf32>
    %62 = tensor.empty() : tensor<1x3x24x16xf32>
    %transposed_67 = linalg.transpose ins(%extracted_slice_52 : tensor<1x3x16x24xf32>) outs(%62 : tensor<1x3x24x16xf32>) permutation = [0, 1, 3, 2] 
    %collapsed_68 = tensor.collapse_shape %transposed_67 [[0, 1], [2], [3]] : tensor<1x3x24x16xf32> into tensor<3x24x16xf32>
    %collapsed_69 = tensor.collapse_shape %extracted_slice_53 [[0, 1], [2], [3]] : tensor<1x3x16x24xf32> into tensor<3x16x24xf32>
    %cst_70 = arith.constant 0.000000e+00 : f32
    %63 = tensor.empty() : tensor<3x24x24xf32>
    %64 = linalg.fill ins(%cst_70 : f32) outs(%63 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %65 = linalg.batch_matmul ins(%collapsed_68, %collapsed_69 : tensor<3x24x16xf32>, tensor<3x16x24xf32>) outs(%64 : tensor<3x24x24xf32>) -> tensor<3x24x24xf32>
    %expanded_71 = tensor.expand_shape %65 [[0, 1], [2], [3]] output_shape [1, 3, 24, 24] : tensor<3x24x24xf32> into tensor<1x3x24x24xf32>
    %66 = tensor.empty() : tensor<1x3x24x24xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47, %expanded_71 : tensor<1x3x24x24xf32>, tensor<1x3x24x24xf32>) outs(%66 : tensor<1x3x24x24xf32>) {
    ^bb0(%in: f32, %in_74: f32, %out: f32):
      %69 = arith.addf %in, %in_74 : f32
      linalg.yield %69 : f32
    } -> tensor<1x3x24x24xf32>
    %concat = tensor.concat dim(2) %expanded_24, %41, %61 : (tensor<1x3x16x24xf32>, tensor<1x3x16x24xf32>, tensor<1x3x16x24xf32>) -> tensor<1x3x48x24xf32>
    %68 = tensor.empty() : tensor<1x48x3x24xf32>
    %transposed_72 = linalg.transpose ins(%concat : tensor<1x3x48x24xf32>) outs(%68 : tensor<1x48x3x24xf32>) permutation = [0, 2, 1, 3] 
    %collapsed_73 = tensor.collapse_shape %transposed_72 [[0], [1], [2, 3]] : tensor<1x48x3x24xf32> into tensor<1x48x72xf32>
    return %collapsed_73, %67 : tensor<1x48x72xf32>, tensor<1x3x24x24xf32>
  }
}

