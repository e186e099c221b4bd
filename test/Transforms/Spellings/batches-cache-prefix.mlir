// A prompt behind a cached prefix, with as many rows as a head has columns: keys of the cache are turned for several heads at once, new ones for each.
// RUN: trn-run %s --compile=effort=1 --machine=trn1 --verify | FileCheck %s
// CHECK-COUNT-3: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}

module {
  func.func @main(%a0: tensor<32x128xbf16>, %a1: tensor<4x64x32xbf16>, %a2: tensor<4x64x32xbf16>, %a3: tensor<128x128xbf16>, %a4: tensor<128x128xbf16>, %a5: tensor<128x128xbf16>, %a6: tensor<128x128xbf16>) -> (tensor<32x128xbf16>, tensor<4x96x32xbf16>, tensor<4x96x32xbf16>) {
    %v1 = tensor.empty() : tensor<128x128xbf16>
    %v2 = linalg.transpose ins(%a3 : tensor<128x128xbf16>) outs(%v1 : tensor<128x128xbf16>) permutation = [1, 0]
    %v3 = arith.constant 0.0 : f32
    %v4 = tensor.empty() : tensor<32x128xf32>
    %v5 = linalg.fill ins(%v3 : f32) outs(%v4 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v6 = linalg.matmul ins(%a0, %v2 : tensor<32x128xbf16>, tensor<128x128xbf16>) outs(%v5 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v7 = tensor.empty() : tensor<32x128xbf16>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v6 : tensor<32x128xf32>) outs(%v7 : tensor<32x128xbf16>) {
    ^bb0(%v8_i0: f32, %v8_o: bf16):
    %v9 = arith.truncf %v8_i0 : f32 to bf16
      linalg.yield %v9 : bf16
    } -> tensor<32x128xbf16>
    %v10 = tensor.expand_shape %v8 [[0], [1, 2]] output_shape [32, 4, 32] : tensor<32x128xbf16> into tensor<32x4x32xbf16>
    %v11 = tensor.empty() : tensor<4x32x32xbf16>
    %v12 = linalg.transpose ins(%v10 : tensor<32x4x32xbf16>) outs(%v11 : tensor<4x32x32xbf16>) permutation = [1, 0, 2]
    %v13 = tensor.empty() : tensor<128x128xbf16>
    %v14 = linalg.transpose ins(%a4 : tensor<128x128xbf16>) outs(%v13 : tensor<128x128xbf16>) permutation = [1, 0]
    %v15 = arith.constant 0.0 : f32
    %v16 = tensor.empty() : tensor<32x128xf32>
    %v17 = linalg.fill ins(%v15 : f32) outs(%v16 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v18 = linalg.matmul ins(%a0, %v14 : tensor<32x128xbf16>, tensor<128x128xbf16>) outs(%v17 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v19 = tensor.empty() : tensor<32x128xbf16>
    %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v18 : tensor<32x128xf32>) outs(%v19 : tensor<32x128xbf16>) {
    ^bb0(%v20_i0: f32, %v20_o: bf16):
    %v21 = arith.truncf %v20_i0 : f32 to bf16
      linalg.yield %v21 : bf16
    } -> tensor<32x128xbf16>
    %v22 = tensor.expand_shape %v20 [[0], [1, 2]] output_shape [32, 4, 32] : tensor<32x128xbf16> into tensor<32x4x32xbf16>
    %v23 = tensor.empty() : tensor<4x32x32xbf16>
    %v24 = linalg.transpose ins(%v22 : tensor<32x4x32xbf16>) outs(%v23 : tensor<4x32x32xbf16>) permutation = [1, 0, 2]
    %v25 = tensor.empty() : tensor<128x128xbf16>
    %v26 = linalg.transpose ins(%a5 : tensor<128x128xbf16>) outs(%v25 : tensor<128x128xbf16>) permutation = [1, 0]
    %v27 = arith.constant 0.0 : f32
    %v28 = tensor.empty() : tensor<32x128xf32>
    %v29 = linalg.fill ins(%v27 : f32) outs(%v28 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v30 = linalg.matmul ins(%a0, %v26 : tensor<32x128xbf16>, tensor<128x128xbf16>) outs(%v29 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v31 = tensor.empty() : tensor<32x128xbf16>
    %v32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v30 : tensor<32x128xf32>) outs(%v31 : tensor<32x128xbf16>) {
    ^bb0(%v32_i0: f32, %v32_o: bf16):
    %v33 = arith.truncf %v32_i0 : f32 to bf16
      linalg.yield %v33 : bf16
    } -> tensor<32x128xbf16>
    %v34 = tensor.expand_shape %v32 [[0], [1, 2]] output_shape [32, 4, 32] : tensor<32x128xbf16> into tensor<32x4x32xbf16>
    %v35 = tensor.empty() : tensor<4x32x32xbf16>
    %v36 = linalg.transpose ins(%v34 : tensor<32x4x32xbf16>) outs(%v35 : tensor<4x32x32xbf16>) permutation = [1, 0, 2]
    %v37 = tensor.concat dim(1) %a1, %v24 : (tensor<4x64x32xbf16>, tensor<4x32x32xbf16>) -> tensor<4x96x32xbf16>
    %v38 = tensor.concat dim(1) %a2, %v36 : (tensor<4x64x32xbf16>, tensor<4x32x32xbf16>) -> tensor<4x96x32xbf16>
    %v39 = arith.constant 64 : index
    %v40 = tensor.empty() : tensor<1x32x96xbf16>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%v40 : tensor<1x32x96xbf16>) {
    ^bb0(%v41_o: bf16):
    %v42 = linalg.index 0 : index
    %v43 = linalg.index 1 : index
    %v44 = linalg.index 2 : index
    %v45 = arith.addi %v43, %v39 : index
    %v46 = arith.cmpi uge, %v45, %v44 : index
    %v47 = arith.constant 0.0 : bf16
    %v48 = arith.constant 0xFF80 : bf16
    %v49 = arith.select %v46, %v47, %v48 : bf16
    linalg.yield %v49 : bf16
    } -> tensor<1x32x96xbf16>
    %v50 = tensor.empty() : tensor<4x32x96xbf16>
    %v51 = linalg.transpose ins(%v37 : tensor<4x96x32xbf16>) outs(%v50 : tensor<4x32x96xbf16>) permutation = [0, 2, 1]
    %v52 = arith.constant 0.0 : f32
    %v53 = tensor.empty() : tensor<4x32x96xf32>
    %v54 = linalg.fill ins(%v52 : f32) outs(%v53 : tensor<4x32x96xf32>) -> tensor<4x32x96xf32>
    %v55 = linalg.batch_matmul ins(%v12, %v51 : tensor<4x32x32xbf16>, tensor<4x32x96xbf16>) outs(%v54 : tensor<4x32x96xf32>) -> tensor<4x32x96xf32>
    %v56 = tensor.empty() : tensor<4x32x96xbf16>
    %v57 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v55 : tensor<4x32x96xf32>) outs(%v56 : tensor<4x32x96xbf16>) {
    ^bb0(%v57_i0: f32, %v57_o: bf16):
    %v58 = arith.truncf %v57_i0 : f32 to bf16
      linalg.yield %v58 : bf16
    } -> tensor<4x32x96xbf16>
    %v59 = tensor.empty() : tensor<4x32x96xbf16>
    %v60 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v57 : tensor<4x32x96xbf16>) outs(%v59 : tensor<4x32x96xbf16>) {
    ^bb0(%v60_i0: bf16, %v60_o: bf16):
    %v61 = arith.constant 0.1767766952966369 : bf16
    %v62 = arith.mulf %v60_i0, %v61 : bf16
      linalg.yield %v62 : bf16
    } -> tensor<4x32x96xbf16>
    %v63 = tensor.empty() : tensor<4x32x96xbf16>
    %v64 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v60, %v41 : tensor<4x32x96xbf16>, tensor<1x32x96xbf16>) outs(%v63 : tensor<4x32x96xbf16>) {
    ^bb0(%v64_i0: bf16, %v64_i1: bf16, %v64_o: bf16):
    %v65 = arith.addf %v64_i0, %v64_i1 : bf16
      linalg.yield %v65 : bf16
    } -> tensor<4x32x96xbf16>
    %v66 = arith.constant 0xFF80 : bf16
    %v67 = tensor.empty() : tensor<4x32x1xbf16>
    %v68 = linalg.fill ins(%v66 : bf16) outs(%v67 : tensor<4x32x1xbf16>) -> tensor<4x32x1xbf16>
    %v69 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v64 : tensor<4x32x96xbf16>) outs(%v68 : tensor<4x32x1xbf16>) {
    ^bb0(%v69_i: bf16, %v69_o: bf16):
      %v69_y = arith.maximumf %v69_i, %v69_o : bf16
      linalg.yield %v69_y : bf16
    } -> tensor<4x32x1xbf16>
    %v70 = tensor.empty() : tensor<4x32x96xbf16>
    %v71 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v64, %v69 : tensor<4x32x96xbf16>, tensor<4x32x1xbf16>) outs(%v70 : tensor<4x32x96xbf16>) {
    ^bb0(%v71_i0: bf16, %v71_i1: bf16, %v71_o: bf16):
    %v72 = arith.subf %v71_i0, %v71_i1 : bf16
      linalg.yield %v72 : bf16
    } -> tensor<4x32x96xbf16>
    %v73 = tensor.empty() : tensor<4x32x96xbf16>
    %v74 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v71 : tensor<4x32x96xbf16>) outs(%v73 : tensor<4x32x96xbf16>) {
    ^bb0(%v74_i0: bf16, %v74_o: bf16):
    %v75 = math.exp %v74_i0 : bf16
      linalg.yield %v75 : bf16
    } -> tensor<4x32x96xbf16>
    %v76 = arith.constant 0.0 : bf16
    %v77 = tensor.empty() : tensor<4x32x1xbf16>
    %v78 = linalg.fill ins(%v76 : bf16) outs(%v77 : tensor<4x32x1xbf16>) -> tensor<4x32x1xbf16>
    %v79 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v74 : tensor<4x32x96xbf16>) outs(%v78 : tensor<4x32x1xbf16>) {
    ^bb0(%v79_i: bf16, %v79_o: bf16):
      %v79_y = arith.addf %v79_i, %v79_o : bf16
      linalg.yield %v79_y : bf16
    } -> tensor<4x32x1xbf16>
    %v80 = tensor.empty() : tensor<4x32x96xbf16>
    %v81 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v74, %v79 : tensor<4x32x96xbf16>, tensor<4x32x1xbf16>) outs(%v80 : tensor<4x32x96xbf16>) {
    ^bb0(%v81_i0: bf16, %v81_i1: bf16, %v81_o: bf16):
    %v82 = arith.divf %v81_i0, %v81_i1 : bf16
      linalg.yield %v82 : bf16
    } -> tensor<4x32x96xbf16>
    %v83 = arith.constant 0.0 : f32
    %v84 = tensor.empty() : tensor<4x32x32xf32>
    %v85 = linalg.fill ins(%v83 : f32) outs(%v84 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %v86 = linalg.batch_matmul ins(%v81, %v38 : tensor<4x32x96xbf16>, tensor<4x96x32xbf16>) outs(%v85 : tensor<4x32x32xf32>) -> tensor<4x32x32xf32>
    %v87 = tensor.empty() : tensor<4x32x32xbf16>
    %v88 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v86 : tensor<4x32x32xf32>) outs(%v87 : tensor<4x32x32xbf16>) {
    ^bb0(%v88_i0: f32, %v88_o: bf16):
    %v89 = arith.truncf %v88_i0 : f32 to bf16
      linalg.yield %v89 : bf16
    } -> tensor<4x32x32xbf16>
    %v90 = tensor.empty() : tensor<32x4x32xbf16>
    %v91 = linalg.transpose ins(%v88 : tensor<4x32x32xbf16>) outs(%v90 : tensor<32x4x32xbf16>) permutation = [1, 0, 2]
    %v92 = tensor.collapse_shape %v91 [[0], [1, 2]] : tensor<32x4x32xbf16> into tensor<32x128xbf16>
    %v93 = tensor.empty() : tensor<128x128xbf16>
    %v94 = linalg.transpose ins(%a6 : tensor<128x128xbf16>) outs(%v93 : tensor<128x128xbf16>) permutation = [1, 0]
    %v95 = arith.constant 0.0 : f32
    %v96 = tensor.empty() : tensor<32x128xf32>
    %v97 = linalg.fill ins(%v95 : f32) outs(%v96 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v98 = linalg.matmul ins(%v92, %v94 : tensor<32x128xbf16>, tensor<128x128xbf16>) outs(%v97 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %v99 = tensor.empty() : tensor<32x128xbf16>
    %v100 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v98 : tensor<32x128xf32>) outs(%v99 : tensor<32x128xbf16>) {
    ^bb0(%v100_i0: f32, %v100_o: bf16):
    %v101 = arith.truncf %v100_i0 : f32 to bf16
      linalg.yield %v101 : bf16
    } -> tensor<32x128xbf16>
    return %v100, %v37, %v38 : tensor<32x128xbf16>, tensor<4x96x32xbf16>, tensor<4x96x32xbf16>
  }
}
