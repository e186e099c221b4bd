// Attention to the last 48 keys of each row (a sliding window): two comparisons of indices.
func.func @main(%q: tensor<2x2x128x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x2x128x64xbf16> {
    %c1 = arith.constant 0xFF800000 : f32
    %c2 = arith.constant 48 : index
    %c3 = arith.constant 1.250000e-01 : f32
    %c4 = arith.constant 0.000000e+00 : f32
    %v5 = tensor.empty() : tensor<2x2x128x128xf32>
    %v6 = linalg.fill ins(%c4 : f32) outs(%v5 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x128x64xbf16>, tensor<2x128x64xbf16>) outs(%v6 : tensor<2x2x128x128xf32>) {
    ^bb0(%i7: bf16, %i8: bf16, %o9: f32):
      %t11 = arith.extf %i7 : bf16 to f32
      %t12 = arith.extf %i8 : bf16 to f32
      %t13 = arith.mulf %t11, %t12 : f32
      %t14 = arith.addf %t13, %o9 : f32
      linalg.yield %t14 : f32
    } -> tensor<2x2x128x128xf32>
    %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v10 : tensor<2x2x128x128xf32>) outs(%v5 : tensor<2x2x128x128xf32>) {
    ^bb0(%i15: f32, %o16: f32):
      %t18 = linalg.index 2 : index
      %t19 = linalg.index 3 : index
      %t20 = arith.cmpi sge, %t18, %t19 : index
      %t21 = arith.mulf %i15, %c3 : f32
      %t22 = arith.addi %t19, %c2 : index
      %t23 = arith.cmpi sgt, %t22, %t18 : index
      %t24 = arith.andi %t20, %t23 : i1
      %t25 = arith.select %t24, %t21, %c1 : f32
      linalg.yield %t25 : f32
    } -> tensor<2x2x128x128xf32>
    %v26 = tensor.empty() : tensor<2x2x128xf32>
    %v27 = linalg.fill ins(%c1 : f32) outs(%v26 : tensor<2x2x128xf32>) -> tensor<2x2x128xf32>
    %v28 = linalg.fill ins(%c4 : f32) outs(%v26 : tensor<2x2x128xf32>) -> tensor<2x2x128xf32>
    %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v17 : tensor<2x2x128x128xf32>) outs(%v27 : tensor<2x2x128xf32>) {
    ^bb0(%i29: f32, %o30: f32):
      %t32 = arith.maximumf %i29, %o30 : f32
      linalg.yield %t32 : f32
    } -> tensor<2x2x128xf32>
    %v36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v17, %v31 : tensor<2x2x128x128xf32>, tensor<2x2x128xf32>) outs(%v5 : tensor<2x2x128x128xf32>) {
    ^bb0(%i33: f32, %i34: f32, %o35: f32):
      %t37 = arith.subf %i33, %i34 : f32
      %t38 = math.exp %t37 : f32
      linalg.yield %t38 : f32
    } -> tensor<2x2x128x128xf32>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%v36 : tensor<2x2x128x128xf32>) outs(%v28 : tensor<2x2x128xf32>) {
    ^bb0(%i39: f32, %o40: f32):
      %t42 = arith.addf %i39, %o40 : f32
      linalg.yield %t42 : f32
    } -> tensor<2x2x128xf32>
    %v43 = tensor.empty() : tensor<2x2x128x128xbf16>
    %v46 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v36 : tensor<2x2x128x128xf32>) outs(%v43 : tensor<2x2x128x128xbf16>) {
    ^bb0(%i44: f32, %o45: bf16):
      %t47 = arith.truncf %i44 : f32 to bf16
      linalg.yield %t47 : bf16
    } -> tensor<2x2x128x128xbf16>
    %v48 = tensor.empty() : tensor<2x2x128x64xf32>
    %v49 = linalg.fill ins(%c4 : f32) outs(%v48 : tensor<2x2x128x64xf32>) -> tensor<2x2x128x64xf32>
    %v53 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v46, %v : tensor<2x2x128x128xbf16>, tensor<2x128x64xbf16>) outs(%v49 : tensor<2x2x128x64xf32>) {
    ^bb0(%i50: bf16, %i51: bf16, %o52: f32):
      %t54 = arith.extf %i50 : bf16 to f32
      %t55 = arith.extf %i51 : bf16 to f32
      %t56 = arith.mulf %t54, %t55 : f32
      %t57 = arith.addf %t56, %o52 : f32
      linalg.yield %t57 : f32
    } -> tensor<2x2x128x64xf32>
    %v58 = tensor.empty() : tensor<2x2x128x64xbf16>
    %v62 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v53, %v41 : tensor<2x2x128x64xf32>, tensor<2x2x128xf32>) outs(%v58 : tensor<2x2x128x64xbf16>) {
    ^bb0(%i59: f32, %i60: f32, %o61: bf16):
      %t63 = arith.divf %i59, %i60 : f32
      %t64 = arith.truncf %t63 : f32 to bf16
      linalg.yield %t64 : bf16
    } -> tensor<2x2x128x64xbf16>
    return %v62 : tensor<2x2x128x64xbf16>
}
