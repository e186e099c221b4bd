// down(silu(gate(x)) * up(x)), in the form in which torch-mlir prints linalg.
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @main(%x: tensor<128x1024xbf16>,
                  %gate: tensor<2816x1024xbf16>,
                  %up: tensor<2816x1024xbf16>,
                  %down: tensor<1024x2816xbf16>)
      -> tensor<128x1024xbf16> {
    %zero = arith.constant 0.000000e+00 : f32
    %one = arith.constant 1.000000e+00 : bf16
    %0 = tensor.empty() : tensor<1024x2816xbf16>
    %1 = linalg.transpose ins(%gate : tensor<2816x1024xbf16>) outs(%0 : tensor<1024x2816xbf16>) permutation = [1, 0]
    %2 = tensor.empty() : tensor<128x2816xf32>
    %3 = linalg.fill ins(%zero : f32) outs(%2 : tensor<128x2816xf32>) -> tensor<128x2816xf32>
    %4 = linalg.matmul ins(%x, %1 : tensor<128x1024xbf16>, tensor<1024x2816xbf16>) outs(%3 : tensor<128x2816xf32>) -> tensor<128x2816xf32>
    %5 = tensor.empty() : tensor<128x2816xbf16>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%4 : tensor<128x2816xf32>) outs(%5 : tensor<128x2816xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<128x2816xbf16>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%6 : tensor<128x2816xbf16>) outs(%5 : tensor<128x2816xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %a = arith.negf %in : bf16
      %b = math.exp %a : bf16
      %c = arith.addf %b, %one : bf16
      %d = arith.divf %one, %c : bf16
      linalg.yield %d : bf16
    } -> tensor<128x2816xbf16>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%7, %6 : tensor<128x2816xbf16>, tensor<128x2816xbf16>) outs(%5 : tensor<128x2816xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.mulf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<128x2816xbf16>
    %9 = linalg.transpose ins(%up : tensor<2816x1024xbf16>) outs(%0 : tensor<1024x2816xbf16>) permutation = [1, 0]
    %10 = linalg.matmul ins(%x, %9 : tensor<128x1024xbf16>, tensor<1024x2816xbf16>) outs(%3 : tensor<128x2816xf32>) -> tensor<128x2816xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%10 : tensor<128x2816xf32>) outs(%5 : tensor<128x2816xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<128x2816xbf16>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%8, %11 : tensor<128x2816xbf16>, tensor<128x2816xbf16>) outs(%5 : tensor<128x2816xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.mulf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<128x2816xbf16>
    %13 = tensor.empty() : tensor<2816x1024xbf16>
    %14 = linalg.transpose ins(%down : tensor<1024x2816xbf16>) outs(%13 : tensor<2816x1024xbf16>) permutation = [1, 0]
    %15 = tensor.empty() : tensor<128x1024xf32>
    %16 = linalg.fill ins(%zero : f32) outs(%15 : tensor<128x1024xf32>) -> tensor<128x1024xf32>
    %17 = linalg.matmul ins(%12, %14 : tensor<128x2816xbf16>, tensor<2816x1024xbf16>) outs(%16 : tensor<128x1024xf32>) -> tensor<128x1024xf32>
    %18 = tensor.empty() : tensor<128x1024xbf16>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%17 : tensor<128x1024xf32>) outs(%18 : tensor<128x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<128x1024xbf16>
    return %19 : tensor<128x1024xbf16>
  }
}
