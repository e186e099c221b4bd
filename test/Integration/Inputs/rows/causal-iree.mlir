// Causal attention as IREE has it once fused: the mask is a comparison of indices in the op that scales.
func.func @main(%q: tensor<2x2x128x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>) -> tensor<2x2x128x64xbf16> {
    %c1 = arith.constant 0xFF800000 : f32
    %c2 = arith.constant 1.250000e-01 : f32
    %c3 = arith.constant 0.000000e+00 : f32
    %v4 = tensor.empty() : tensor<2x2x128x128xf32>
    %v5 = linalg.fill ins(%c3 : f32) outs(%v4 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x128x64xbf16>, tensor<2x128x64xbf16>) outs(%v5 : tensor<2x2x128x128xf32>) {
    ^bb0(%i6: bf16, %i7: bf16, %o8: f32):
      %t10 = arith.extf %i6 : bf16 to f32
      %t11 = arith.extf %i7 : bf16 to f32
      %t12 = arith.mulf %t10, %t11 : f32
      %t13 = arith.addf %t12, %o8 : f32
      linalg.yield %t13 : f32
    } -> tensor<2x2x128x128xf32>
    %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v9 : tensor<2x2x128x128xf32>) outs(%v4 : tensor<2x2x128x128xf32>) {
    ^bb0(%i14: f32, %o15: f32):
      %t17 = linalg.index 2 : index
      %t18 = linalg.index 3 : index
      %t19 = arith.cmpi sge, %t17, %t18 : index
      %t20 = arith.mulf %i14, %c2 : f32
      %t21 = arith.select %t19, %t20, %c1 : f32
      linalg.yield %t21 : f32
    } -> tensor<2x2x128x128xf32>
    %v22 = linalg.softmax dimension(3) ins(%v16 : tensor<2x2x128x128xf32>) outs(%v4 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v23 = tensor.empty() : tensor<2x2x128x128xbf16>
    %v26 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v22 : tensor<2x2x128x128xf32>) outs(%v23 : tensor<2x2x128x128xbf16>) {
    ^bb0(%i24: f32, %o25: bf16):
      %t27 = arith.truncf %i24 : f32 to bf16
      linalg.yield %t27 : bf16
    } -> tensor<2x2x128x128xbf16>
    %v28 = tensor.empty() : tensor<2x2x128x64xf32>
    %v29 = linalg.fill ins(%c3 : f32) outs(%v28 : tensor<2x2x128x64xf32>) -> tensor<2x2x128x64xf32>
    %v33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v26, %v : tensor<2x2x128x128xbf16>, tensor<2x128x64xbf16>) outs(%v29 : tensor<2x2x128x64xf32>) {
    ^bb0(%i30: bf16, %i31: bf16, %o32: f32):
      %t34 = arith.extf %i30 : bf16 to f32
      %t35 = arith.extf %i31 : bf16 to f32
      %t36 = arith.mulf %t34, %t35 : f32
      %t37 = arith.addf %t36, %o32 : f32
      linalg.yield %t37 : f32
    } -> tensor<2x2x128x64xf32>
    %v38 = tensor.empty() : tensor<2x2x128x64xbf16>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v33 : tensor<2x2x128x64xf32>) outs(%v38 : tensor<2x2x128x64xbf16>) {
    ^bb0(%i39: f32, %o40: bf16):
      %t42 = arith.truncf %i39 : f32 to bf16
      linalg.yield %t42 : bf16
    } -> tensor<2x2x128x64xbf16>
    return %v41 : tensor<2x2x128x64xbf16>
}
