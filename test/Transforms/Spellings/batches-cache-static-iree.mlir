// The same with the mask in the body of what masks, as IREE writes it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

module {
  func.func @main(%a0: tensor<1x128xf32>, %a1: tensor<4x64x32xf32>, %a2: tensor<4x64x32xf32>, %a3: tensor<128x128xf32>, %a4: tensor<128x128xf32>, %a5: tensor<128x128xf32>, %a6: tensor<128x128xf32>, %a7: index) -> (tensor<1x128xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>) {
    %v1 = tensor.empty() : tensor<128x128xf32>
    %v2 = linalg.transpose ins(%a3 : tensor<128x128xf32>) outs(%v1 : tensor<128x128xf32>) permutation = [1, 0]
    %v3 = arith.constant 0.0 : f32
    %v4 = tensor.empty() : tensor<1x128xf32>
    %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v6 = linalg.matmul ins(%a0, %v2 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v5 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v7 = tensor.expand_shape %v6 [[0], [1, 2]] output_shape [1, 4, 32] : tensor<1x128xf32> into tensor<1x4x32xf32>
    %v8 = tensor.empty() : tensor<4x1x32xf32>
    %v9 = linalg.transpose ins(%v7 : tensor<1x4x32xf32>) outs(%v8 : tensor<4x1x32xf32>) permutation = [1, 0, 2]
    %v10 = tensor.empty() : tensor<128x128xf32>
    %v11 = linalg.transpose ins(%a4 : tensor<128x128xf32>) outs(%v10 : tensor<128x128xf32>) permutation = [1, 0]
    %v12 = arith.constant 0.0 : f32
    %v13 = tensor.empty() : tensor<1x128xf32>
    %v14 = linalg.fill ins(%v12 : f32) outs(%v13 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v15 = linalg.matmul ins(%a0, %v11 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v14 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v16 = tensor.expand_shape %v15 [[0], [1, 2]] output_shape [1, 4, 32] : tensor<1x128xf32> into tensor<1x4x32xf32>
    %v17 = tensor.empty() : tensor<4x1x32xf32>
    %v18 = linalg.transpose ins(%v16 : tensor<1x4x32xf32>) outs(%v17 : tensor<4x1x32xf32>) permutation = [1, 0, 2]
    %v19 = tensor.empty() : tensor<128x128xf32>
    %v20 = linalg.transpose ins(%a5 : tensor<128x128xf32>) outs(%v19 : tensor<128x128xf32>) permutation = [1, 0]
    %v21 = arith.constant 0.0 : f32
    %v22 = tensor.empty() : tensor<1x128xf32>
    %v23 = linalg.fill ins(%v21 : f32) outs(%v22 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v24 = linalg.matmul ins(%a0, %v20 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v23 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v25 = tensor.expand_shape %v24 [[0], [1, 2]] output_shape [1, 4, 32] : tensor<1x128xf32> into tensor<1x4x32xf32>
    %v26 = tensor.empty() : tensor<4x1x32xf32>
    %v27 = linalg.transpose ins(%v25 : tensor<1x4x32xf32>) outs(%v26 : tensor<4x1x32xf32>) permutation = [1, 0, 2]
    %v28 = tensor.insert_slice %v18 into %a1[0, %a7, 0] [4, 1, 32] [1, 1, 1] : tensor<4x1x32xf32> into tensor<4x64x32xf32>
    %v29 = tensor.insert_slice %v27 into %a2[0, %a7, 0] [4, 1, 32] [1, 1, 1] : tensor<4x1x32xf32> into tensor<4x64x32xf32>
    %v30 = tensor.empty() : tensor<4x32x64xf32>
    %v31 = linalg.transpose ins(%v28 : tensor<4x64x32xf32>) outs(%v30 : tensor<4x32x64xf32>) permutation = [0, 2, 1]
    %v32 = arith.constant 0.0 : f32
    %v33 = tensor.empty() : tensor<4x1x64xf32>
    %v34 = linalg.fill ins(%v32 : f32) outs(%v33 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
    %v35 = linalg.batch_matmul ins(%v9, %v31 : tensor<4x1x32xf32>, tensor<4x32x64xf32>) outs(%v34 : tensor<4x1x64xf32>) -> tensor<4x1x64xf32>
    %v36 = tensor.empty() : tensor<4x1x64xf32>
    %v37 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v35 : tensor<4x1x64xf32>) outs(%v36 : tensor<4x1x64xf32>) {
    ^bb0(%v37_i0: f32, %v37_o: f32):
    %v38 = arith.constant 0.1767766952966369 : f32
    %v39 = arith.mulf %v37_i0, %v38 : f32
      linalg.yield %v39 : f32
    } -> tensor<4x1x64xf32>
    %v40 = tensor.empty() : tensor<4x1x64xf32>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v37 : tensor<4x1x64xf32>) outs(%v40 : tensor<4x1x64xf32>) {
    ^bb0(%v41_i: f32, %v41_o: f32):
    %v42 = linalg.index 1 : index
    %v43 = linalg.index 2 : index
    %v44 = arith.addi %v42, %a7 : index
    %v45 = arith.cmpi sge, %v44, %v43 : index
    %v46 = arith.constant -3.0e+38 : f32
    %v47 = arith.select %v45, %v41_i, %v46 : f32
    linalg.yield %v47 : f32
    } -> tensor<4x1x64xf32>
    %v48 = arith.constant 0xFF800000 : f32
    %v49 = tensor.empty() : tensor<4x1x1xf32>
    %v50 = linalg.fill ins(%v48 : f32) outs(%v49 : tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
    %v51 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v41 : tensor<4x1x64xf32>) outs(%v50 : tensor<4x1x1xf32>) {
    ^bb0(%v51_i: f32, %v51_o: f32):
      %v51_y = arith.maximumf %v51_i, %v51_o : f32
      linalg.yield %v51_y : f32
    } -> tensor<4x1x1xf32>
    %v52 = tensor.empty() : tensor<4x1x64xf32>
    %v53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v41, %v51 : tensor<4x1x64xf32>, tensor<4x1x1xf32>) outs(%v52 : tensor<4x1x64xf32>) {
    ^bb0(%v53_i0: f32, %v53_i1: f32, %v53_o: f32):
    %v54 = arith.subf %v53_i0, %v53_i1 : f32
      linalg.yield %v54 : f32
    } -> tensor<4x1x64xf32>
    %v55 = tensor.empty() : tensor<4x1x64xf32>
    %v56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v53 : tensor<4x1x64xf32>) outs(%v55 : tensor<4x1x64xf32>) {
    ^bb0(%v56_i0: f32, %v56_o: f32):
    %v57 = math.exp %v56_i0 : f32
      linalg.yield %v57 : f32
    } -> tensor<4x1x64xf32>
    %v58 = arith.constant 0.0 : f32
    %v59 = tensor.empty() : tensor<4x1x1xf32>
    %v60 = linalg.fill ins(%v58 : f32) outs(%v59 : tensor<4x1x1xf32>) -> tensor<4x1x1xf32>
    %v61 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v56 : tensor<4x1x64xf32>) outs(%v60 : tensor<4x1x1xf32>) {
    ^bb0(%v61_i: f32, %v61_o: f32):
      %v61_y = arith.addf %v61_i, %v61_o : f32
      linalg.yield %v61_y : f32
    } -> tensor<4x1x1xf32>
    %v62 = tensor.empty() : tensor<4x1x64xf32>
    %v63 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v56, %v61 : tensor<4x1x64xf32>, tensor<4x1x1xf32>) outs(%v62 : tensor<4x1x64xf32>) {
    ^bb0(%v63_i0: f32, %v63_i1: f32, %v63_o: f32):
    %v64 = arith.divf %v63_i0, %v63_i1 : f32
      linalg.yield %v64 : f32
    } -> tensor<4x1x64xf32>
    %v65 = arith.constant 0.0 : f32
    %v66 = tensor.empty() : tensor<4x1x32xf32>
    %v67 = linalg.fill ins(%v65 : f32) outs(%v66 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %v68 = linalg.batch_matmul ins(%v63, %v29 : tensor<4x1x64xf32>, tensor<4x64x32xf32>) outs(%v67 : tensor<4x1x32xf32>) -> tensor<4x1x32xf32>
    %v69 = tensor.empty() : tensor<1x4x32xf32>
    %v70 = linalg.transpose ins(%v68 : tensor<4x1x32xf32>) outs(%v69 : tensor<1x4x32xf32>) permutation = [1, 0, 2]
    %v71 = tensor.collapse_shape %v70 [[0], [1, 2]] : tensor<1x4x32xf32> into tensor<1x128xf32>
    %v72 = tensor.empty() : tensor<128x128xf32>
    %v73 = linalg.transpose ins(%a6 : tensor<128x128xf32>) outs(%v72 : tensor<128x128xf32>) permutation = [1, 0]
    %v74 = arith.constant 0.0 : f32
    %v75 = tensor.empty() : tensor<1x128xf32>
    %v76 = linalg.fill ins(%v74 : f32) outs(%v75 : tensor<1x128xf32>) -> tensor<1x128xf32>
    %v77 = linalg.matmul ins(%v71, %v73 : tensor<1x128xf32>, tensor<128x128xf32>) outs(%v76 : tensor<1x128xf32>) -> tensor<1x128xf32>
    return %v77, %v28, %v29 : tensor<1x128xf32>, tensor<4x64x32xf32>, tensor<4x64x32xf32>
  }
}
