// What a decoder layer multiplies for 16 sequences that go on by one token each: q, k and v of
// the normalised rows, the output projection of what attention made of them, and the MLP.
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#first = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @main(%x: tensor<16x1024xbf16>,
                  %attention: tensor<16x1024xbf16>,
                  %norm1: tensor<1024xbf16> {trn.param = "input_layernorm.weight"},
                  %q: tensor<1024x1024xbf16> {trn.param = "q_proj.weight"},
                  %k: tensor<256x1024xbf16> {trn.param = "k_proj.weight"},
                  %v: tensor<256x1024xbf16> {trn.param = "v_proj.weight"},
                  %o: tensor<1024x1024xbf16> {trn.param = "o_proj.weight"},
                  %norm2: tensor<1024xbf16> {trn.param = "post_attention_layernorm.weight"},
                  %gate: tensor<2816x1024xbf16> {trn.param = "gate_proj.weight"},
                  %up: tensor<2816x1024xbf16> {trn.param = "up_proj.weight"},
                  %down: tensor<1024x2816xbf16> {trn.param = "down_proj.weight"})
      -> (tensor<16x1024xbf16>, tensor<16x256xbf16>, tensor<16x256xbf16>, tensor<16x1024xbf16>) {
    %zero = arith.constant 0.000000e+00 : f32
    %columns = arith.constant 1024.0 : f32
    %epsilon = arith.constant 1.0e-05 : f32
    %one = arith.constant 1.000000e+00 : bf16
    %0 = tensor.empty() : tensor<16x1xf32>
    %1 = linalg.fill ins(%zero : f32) outs(%0 : tensor<16x1xf32>) -> tensor<16x1xf32>
    %2 = linalg.generic {indexing_maps = [#map, #first], iterator_types = ["parallel", "reduction"]}
        ins(%x : tensor<16x1024xbf16>) outs(%1 : tensor<16x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %a = arith.extf %in : bf16 to f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %out : f32
      linalg.yield %c : f32
    } -> tensor<16x1xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%2 : tensor<16x1xf32>) outs(%0 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.divf %in, %columns : f32
      %b = arith.addf %a, %epsilon : f32
      %c = math.rsqrt %b : f32
      linalg.yield %c : f32
    } -> tensor<16x1xf32>
    %4 = tensor.empty() : tensor<16x1024xbf16>
    %5 = linalg.generic {indexing_maps = [#map, #first, #row, #map], iterator_types = ["parallel", "parallel"]}
        ins(%x, %3, %norm1 : tensor<16x1024xbf16>, tensor<16x1xf32>, tensor<1024xbf16>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: bf16, %in_1: f32, %in_2: bf16, %out: bf16):
      %a = arith.extf %in : bf16 to f32
      %b = arith.mulf %a, %in_1 : f32
      %c = arith.truncf %b : f32 to bf16
      %d = arith.mulf %c, %in_2 : bf16
      linalg.yield %d : bf16
    } -> tensor<16x1024xbf16>
    %6 = tensor.empty() : tensor<1024x1024xbf16>
    %7 = linalg.transpose ins(%q : tensor<1024x1024xbf16>) outs(%6 : tensor<1024x1024xbf16>) permutation = [1, 0]
    %8 = tensor.empty() : tensor<16x1024xf32>
    %9 = linalg.fill ins(%zero : f32) outs(%8 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %10 = linalg.matmul ins(%5, %7 : tensor<16x1024xbf16>, tensor<1024x1024xbf16>) outs(%9 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%10 : tensor<16x1024xf32>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x1024xbf16>
    %12 = tensor.empty() : tensor<1024x256xbf16>
    %13 = linalg.transpose ins(%k : tensor<256x1024xbf16>) outs(%12 : tensor<1024x256xbf16>) permutation = [1, 0]
    %14 = tensor.empty() : tensor<16x256xf32>
    %15 = linalg.fill ins(%zero : f32) outs(%14 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %16 = linalg.matmul ins(%5, %13 : tensor<16x1024xbf16>, tensor<1024x256xbf16>) outs(%15 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %17 = tensor.empty() : tensor<16x256xbf16>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%16 : tensor<16x256xf32>) outs(%17 : tensor<16x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x256xbf16>
    %19 = linalg.transpose ins(%v : tensor<256x1024xbf16>) outs(%12 : tensor<1024x256xbf16>) permutation = [1, 0]
    %20 = linalg.matmul ins(%5, %19 : tensor<16x1024xbf16>, tensor<1024x256xbf16>) outs(%15 : tensor<16x256xf32>) -> tensor<16x256xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%20 : tensor<16x256xf32>) outs(%17 : tensor<16x256xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x256xbf16>
    %22 = linalg.transpose ins(%o : tensor<1024x1024xbf16>) outs(%6 : tensor<1024x1024xbf16>) permutation = [1, 0]
    %23 = linalg.matmul ins(%attention, %22 : tensor<16x1024xbf16>, tensor<1024x1024xbf16>) outs(%9 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%23 : tensor<16x1024xf32>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x1024xbf16>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%24, %x : tensor<16x1024xbf16>, tensor<16x1024xbf16>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.addf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<16x1024xbf16>
    %26 = linalg.generic {indexing_maps = [#map, #first], iterator_types = ["parallel", "reduction"]}
        ins(%25 : tensor<16x1024xbf16>) outs(%1 : tensor<16x1xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %a = arith.extf %in : bf16 to f32
      %b = arith.mulf %a, %a : f32
      %c = arith.addf %b, %out : f32
      linalg.yield %c : f32
    } -> tensor<16x1xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%26 : tensor<16x1xf32>) outs(%0 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %a = arith.divf %in, %columns : f32
      %b = arith.addf %a, %epsilon : f32
      %c = math.rsqrt %b : f32
      linalg.yield %c : f32
    } -> tensor<16x1xf32>
    %28 = linalg.generic {indexing_maps = [#map, #first, #row, #map], iterator_types = ["parallel", "parallel"]}
        ins(%25, %27, %norm2 : tensor<16x1024xbf16>, tensor<16x1xf32>, tensor<1024xbf16>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: bf16, %in_1: f32, %in_2: bf16, %out: bf16):
      %a = arith.extf %in : bf16 to f32
      %b = arith.mulf %a, %in_1 : f32
      %c = arith.truncf %b : f32 to bf16
      %d = arith.mulf %c, %in_2 : bf16
      linalg.yield %d : bf16
    } -> tensor<16x1024xbf16>
    %29 = tensor.empty() : tensor<1024x2816xbf16>
    %30 = linalg.transpose ins(%gate : tensor<2816x1024xbf16>) outs(%29 : tensor<1024x2816xbf16>) permutation = [1, 0]
    %31 = tensor.empty() : tensor<16x2816xf32>
    %32 = linalg.fill ins(%zero : f32) outs(%31 : tensor<16x2816xf32>) -> tensor<16x2816xf32>
    %33 = linalg.matmul ins(%28, %30 : tensor<16x1024xbf16>, tensor<1024x2816xbf16>) outs(%32 : tensor<16x2816xf32>) -> tensor<16x2816xf32>
    %34 = tensor.empty() : tensor<16x2816xbf16>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%33 : tensor<16x2816xf32>) outs(%34 : tensor<16x2816xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x2816xbf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%35 : tensor<16x2816xbf16>) outs(%34 : tensor<16x2816xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %a = arith.negf %in : bf16
      %b = math.exp %a : bf16
      %c = arith.addf %b, %one : bf16
      %d = arith.divf %one, %c : bf16
      linalg.yield %d : bf16
    } -> tensor<16x2816xbf16>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%36, %35 : tensor<16x2816xbf16>, tensor<16x2816xbf16>) outs(%34 : tensor<16x2816xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.mulf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<16x2816xbf16>
    %38 = linalg.transpose ins(%up : tensor<2816x1024xbf16>) outs(%29 : tensor<1024x2816xbf16>) permutation = [1, 0]
    %39 = linalg.matmul ins(%28, %38 : tensor<16x1024xbf16>, tensor<1024x2816xbf16>) outs(%32 : tensor<16x2816xf32>) -> tensor<16x2816xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%39 : tensor<16x2816xf32>) outs(%34 : tensor<16x2816xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x2816xbf16>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%37, %40 : tensor<16x2816xbf16>, tensor<16x2816xbf16>) outs(%34 : tensor<16x2816xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.mulf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<16x2816xbf16>
    %42 = tensor.empty() : tensor<2816x1024xbf16>
    %43 = linalg.transpose ins(%down : tensor<1024x2816xbf16>) outs(%42 : tensor<2816x1024xbf16>) permutation = [1, 0]
    %44 = linalg.matmul ins(%41, %43 : tensor<16x2816xbf16>, tensor<2816x1024xbf16>) outs(%9 : tensor<16x1024xf32>) -> tensor<16x1024xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%44 : tensor<16x1024xf32>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %c = arith.truncf %in : f32 to bf16
      linalg.yield %c : bf16
    } -> tensor<16x1024xbf16>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]}
        ins(%45, %25 : tensor<16x1024xbf16>, tensor<16x1024xbf16>) outs(%4 : tensor<16x1024xbf16>) {
    ^bb0(%in: bf16, %in_1: bf16, %out: bf16):
      %a = arith.addf %in, %in_1 : bf16
      linalg.yield %a : bf16
    } -> tensor<16x1024xbf16>
    return %11, %18, %21, %46 : tensor<16x1024xbf16>, tensor<16x256xbf16>, tensor<16x256xbf16>, tensor<16x1024xbf16>
  }
}
