// LayerNorm in front of a linear layer with a bias, in f32, by torch-mlir (GPT-2).
func.func @main(%x: tensor<1x128x256xf32>, %g: tensor<256xf32> {trn.param = "g"}, %b: tensor<256xf32> {trn.param = "b"}, %w: tensor<384x256xf32> {trn.param = "w"}, %c: tensor<384xf32> {trn.param = "c"}) -> tensor<1x128x384xf32> {
    %c1 = arith.constant 0.000000e+00 : f32
    %c8 = arith.constant 2.560000e+02 : f32
    %c33 = arith.constant 1.000000e-05 : f64
    %v2 = tensor.empty() : tensor<1x128x1xf32>
    %v3 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x128x256xf32>) outs(%v3 : tensor<1x128x1xf32>) {
    ^bb0(%i4: f32, %o5: f32):
      %t7 = arith.addf %i4, %o5 : f32
      linalg.yield %t7 : f32
    } -> tensor<1x128x1xf32>
    %v11 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v6 : tensor<1x128x1xf32>) outs(%v2 : tensor<1x128x1xf32>) {
    ^bb0(%i9: f32, %o10: f32):
      %t12 = arith.divf %i9, %c8 : f32
      linalg.yield %t12 : f32
    } -> tensor<1x128x1xf32>
    %v13 = tensor.empty() : tensor<1x128x256xf32>
    %v17 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %v11 : tensor<1x128x256xf32>, tensor<1x128x1xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i14: f32, %i15: f32, %o16: f32):
      %t18 = arith.subf %i14, %i15 : f32
      linalg.yield %t18 : f32
    } -> tensor<1x128x256xf32>
    %v22 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v17, %v17 : tensor<1x128x256xf32>, tensor<1x128x256xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i19: f32, %i20: f32, %o21: f32):
      %t23 = arith.mulf %i19, %i20 : f32
      linalg.yield %t23 : f32
    } -> tensor<1x128x256xf32>
    %v24 = linalg.fill ins(%c1 : f32) outs(%v2 : tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %v27 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v22 : tensor<1x128x256xf32>) outs(%v24 : tensor<1x128x1xf32>) {
    ^bb0(%i25: f32, %o26: f32):
      %t28 = arith.addf %i25, %o26 : f32
      linalg.yield %t28 : f32
    } -> tensor<1x128x1xf32>
    %v31 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v27 : tensor<1x128x1xf32>) outs(%v2 : tensor<1x128x1xf32>) {
    ^bb0(%i29: f32, %o30: f32):
      %t32 = arith.divf %i29, %c8 : f32
      linalg.yield %t32 : f32
    } -> tensor<1x128x1xf32>
    %v36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v31 : tensor<1x128x1xf32>) outs(%v2 : tensor<1x128x1xf32>) {
    ^bb0(%i34: f32, %o35: f32):
      %t37 = arith.truncf %c33 : f64 to f32
      %t38 = arith.addf %i34, %t37 : f32
      linalg.yield %t38 : f32
    } -> tensor<1x128x1xf32>
    %v41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v36 : tensor<1x128x1xf32>) outs(%v2 : tensor<1x128x1xf32>) {
    ^bb0(%i39: f32, %o40: f32):
      %t42 = math.rsqrt %i39 : f32
      linalg.yield %t42 : f32
    } -> tensor<1x128x1xf32>
    %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v41 : tensor<1x128x1xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i43: f32, %o44: f32):
      linalg.yield %i43 : f32
    } -> tensor<1x128x256xf32>
    %v49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v17, %v45 : tensor<1x128x256xf32>, tensor<1x128x256xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i46: f32, %i47: f32, %o48: f32):
      %t50 = arith.mulf %i46, %i47 : f32
      linalg.yield %t50 : f32
    } -> tensor<1x128x256xf32>
    %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v49, %g : tensor<1x128x256xf32>, tensor<256xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i51: f32, %i52: f32, %o53: f32):
      %t55 = arith.mulf %i51, %i52 : f32
      linalg.yield %t55 : f32
    } -> tensor<1x128x256xf32>
    %v59 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v54, %b : tensor<1x128x256xf32>, tensor<256xf32>) outs(%v13 : tensor<1x128x256xf32>) {
    ^bb0(%i56: f32, %i57: f32, %o58: f32):
      %t60 = arith.addf %i56, %i57 : f32
      linalg.yield %t60 : f32
    } -> tensor<1x128x256xf32>
    %v61 = tensor.empty() : tensor<256x384xf32>
    %v62 = linalg.transpose ins(%w : tensor<384x256xf32>) outs(%v61 : tensor<256x384xf32>) permutation = [1, 0]
    %v63 = tensor.empty() : tensor<1x256x384xf32>
    %v66 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v62 : tensor<256x384xf32>) outs(%v63 : tensor<1x256x384xf32>) {
    ^bb0(%i64: f32, %o65: f32):
      linalg.yield %i64 : f32
    } -> tensor<1x256x384xf32>
    %v67 = tensor.empty() : tensor<1x128x384xf32>
    %v68 = linalg.fill ins(%c1 : f32) outs(%v67 : tensor<1x128x384xf32>) -> tensor<1x128x384xf32>
    %v69 = linalg.batch_matmul ins(%v59, %v66 : tensor<1x128x256xf32>, tensor<1x256x384xf32>) outs(%v68 : tensor<1x128x384xf32>) -> tensor<1x128x384xf32>
    %v73 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v69, %c : tensor<1x128x384xf32>, tensor<384xf32>) outs(%v67 : tensor<1x128x384xf32>) {
    ^bb0(%i70: f32, %i71: f32, %o72: f32):
      %t74 = arith.addf %i70, %i71 : f32
      linalg.yield %t74 : f32
    } -> tensor<1x128x384xf32>
    return %v73 : tensor<1x128x384xf32>
}
