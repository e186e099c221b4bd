// Attention with a mask that is added, as IREE has it once fused.
func.func @main(%q: tensor<2x2x128x64xbf16>, %k: tensor<2x128x64xbf16>, %v: tensor<2x128x64xbf16>, %mask: tensor<128x128xf32>) -> tensor<2x2x128x64xbf16> {
    %c1 = arith.constant 1.250000e-01 : f32
    %c2 = arith.constant 0.000000e+00 : f32
    %v3 = tensor.empty() : tensor<2x2x128x128xf32>
    %v4 = linalg.fill ins(%c2 : f32) outs(%v3 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v8 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x128x64xbf16>, tensor<2x128x64xbf16>) outs(%v4 : tensor<2x2x128x128xf32>) {
    ^bb0(%i5: bf16, %i6: bf16, %o7: f32):
      %t9 = arith.extf %i5 : bf16 to f32
      %t10 = arith.extf %i6 : bf16 to f32
      %t11 = arith.mulf %t9, %t10 : f32
      %t12 = arith.addf %t11, %o7 : f32
      linalg.yield %t12 : f32
    } -> tensor<2x2x128x128xf32>
    %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v8, %mask : tensor<2x2x128x128xf32>, tensor<128x128xf32>) outs(%v3 : tensor<2x2x128x128xf32>) {
    ^bb0(%i13: f32, %i14: f32, %o15: f32):
      %t17 = arith.mulf %i13, %c1 : f32
      %t18 = arith.addf %t17, %i14 : f32
      linalg.yield %t18 : f32
    } -> tensor<2x2x128x128xf32>
    %v19 = linalg.softmax dimension(3) ins(%v16 : tensor<2x2x128x128xf32>) outs(%v3 : tensor<2x2x128x128xf32>) -> tensor<2x2x128x128xf32>
    %v20 = tensor.empty() : tensor<2x2x128x128xbf16>
    %v23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v19 : tensor<2x2x128x128xf32>) outs(%v20 : tensor<2x2x128x128xbf16>) {
    ^bb0(%i21: f32, %o22: bf16):
      %t24 = arith.truncf %i21 : f32 to bf16
      linalg.yield %t24 : bf16
    } -> tensor<2x2x128x128xbf16>
    %v25 = tensor.empty() : tensor<2x2x128x64xf32>
    %v26 = linalg.fill ins(%c2 : f32) outs(%v25 : tensor<2x2x128x64xf32>) -> tensor<2x2x128x64xf32>
    %v30 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d4, d3)>, affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%v23, %v : tensor<2x2x128x128xbf16>, tensor<2x128x64xbf16>) outs(%v26 : tensor<2x2x128x64xf32>) {
    ^bb0(%i27: bf16, %i28: bf16, %o29: f32):
      %t31 = arith.extf %i27 : bf16 to f32
      %t32 = arith.extf %i28 : bf16 to f32
      %t33 = arith.mulf %t31, %t32 : f32
      %t34 = arith.addf %t33, %o29 : f32
      linalg.yield %t34 : f32
    } -> tensor<2x2x128x64xf32>
    %v35 = tensor.empty() : tensor<2x2x128x64xbf16>
    %v38 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%v30 : tensor<2x2x128x64xf32>) outs(%v35 : tensor<2x2x128x64xbf16>) {
    ^bb0(%i36: f32, %o37: bf16):
      %t39 = arith.truncf %i36 : f32 to bf16
      linalg.yield %t39 : bf16
    } -> tensor<2x2x128x64xbf16>
    return %v38 : tensor<2x2x128x64xbf16>
}
