// log_softmax by JAX: (x - max) - log(sum(exp(x - max))).
func.func @main(%x: tensor<128x256xf32>) -> tensor<128x256xf32> {
    %c1 = arith.constant dense<0xFF800000> : tensor<f32>
    %c34 = arith.constant dense<0.000000e+00> : tensor<f32>
    %x2 = tensor.extract %c1[] : tensor<f32>
    %v3 = tensor.empty() : tensor<128xf32>
    %v4 = linalg.fill ins(%x2 : f32) outs(%v3 : tensor<128xf32>) -> tensor<128xf32>
    %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x256xf32>) outs(%v4 : tensor<128xf32>) {
    ^bb0(%i5: f32, %o6: f32):
      %t8 = arith.maximumf %o6, %i5 : f32
      linalg.yield %t8 : f32
    } -> tensor<128xf32>
    %v11 = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%c1 : tensor<f32>) outs(%v3 : tensor<128xf32>) {
    ^bb0(%i9: f32, %o10: f32):
      linalg.yield %i9 : f32
    } -> tensor<128xf32>
    %v15 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%v11, %v7 : tensor<128xf32>, tensor<128xf32>) outs(%v3 : tensor<128xf32>) {
    ^bb0(%i12: f32, %i13: f32, %o14: f32):
      %t16 = arith.maximumf %i12, %i13 : f32
      linalg.yield %t16 : f32
    } -> tensor<128xf32>
    %v17 = tensor.empty() : tensor<128x1xf32>
    %v20 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v15 : tensor<128xf32>) outs(%v17 : tensor<128x1xf32>) {
    ^bb0(%i18: f32, %o19: f32):
      linalg.yield %i18 : f32
    } -> tensor<128x1xf32>
    %v21 = tensor.empty() : tensor<128x256xf32>
    %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v20 : tensor<128x1xf32>) outs(%v21 : tensor<128x256xf32>) {
    ^bb0(%i22: f32, %o23: f32):
      linalg.yield %i22 : f32
    } -> tensor<128x256xf32>
    %v28 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x, %v24 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%v21 : tensor<128x256xf32>) {
    ^bb0(%i25: f32, %i26: f32, %o27: f32):
      %t29 = arith.subf %i25, %i26 : f32
      linalg.yield %t29 : f32
    } -> tensor<128x256xf32>
    %v32 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28 : tensor<128x256xf32>) outs(%v21 : tensor<128x256xf32>) {
    ^bb0(%i30: f32, %o31: f32):
      %t33 = math.exp %i30 : f32
      linalg.yield %t33 : f32
    } -> tensor<128x256xf32>
    %x35 = tensor.extract %c34[] : tensor<f32>
    %v36 = linalg.fill ins(%x35 : f32) outs(%v3 : tensor<128xf32>) -> tensor<128xf32>
    %v39 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%v32 : tensor<128x256xf32>) outs(%v36 : tensor<128xf32>) {
    ^bb0(%i37: f32, %o38: f32):
      %t40 = arith.addf %o38, %i37 : f32
      linalg.yield %t40 : f32
    } -> tensor<128xf32>
    %v43 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v39 : tensor<128xf32>) outs(%v17 : tensor<128x1xf32>) {
    ^bb0(%i41: f32, %o42: f32):
      linalg.yield %i41 : f32
    } -> tensor<128x1xf32>
    %v46 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v43 : tensor<128x1xf32>) outs(%v17 : tensor<128x1xf32>) {
    ^bb0(%i44: f32, %o45: f32):
      %t47 = math.log %i44 : f32
      linalg.yield %t47 : f32
    } -> tensor<128x1xf32>
    %v50 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v46 : tensor<128x1xf32>) outs(%v21 : tensor<128x256xf32>) {
    ^bb0(%i48: f32, %o49: f32):
      linalg.yield %i48 : f32
    } -> tensor<128x256xf32>
    %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v28, %v50 : tensor<128x256xf32>, tensor<128x256xf32>) outs(%v21 : tensor<128x256xf32>) {
    ^bb0(%i51: f32, %i52: f32, %o53: f32):
      %t55 = arith.subf %i51, %i52 : f32
      linalg.yield %t55 : f32
    } -> tensor<128x256xf32>
    return %v54 : tensor<128x256xf32>
}
