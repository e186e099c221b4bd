// RUN: trn-opt %s -trn-normalize-rows -trn-normalize-products -trn-outline-kernels -trn-plan-kernels=effort=1 | FileCheck %s

// Sums of exponentials that are rounded before they divide are rounded with keys
// on the partitions, too.

// CHECK: o = div([y1t * w2 over r1], bf16([y1t * ones over r1]))

#scores = affine_map<(i, j, k) -> (i, k)>
#keys = affine_map<(i, j, k) -> (j, k)>
#values = affine_map<(i, j, k) -> (k, j)>
#out = affine_map<(i, j, k) -> (i, j)>
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>

func.func @main(%q: tensor<256x64xbf16>, %k: tensor<256x64xbf16>, %v: tensor<256x64xbf16>) -> tensor<256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %square = tensor.empty() : tensor<256x256xf32>
  %column = tensor.empty() : tensor<256xf32>
  %result = tensor.empty() : tensor<256x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%square : tensor<256x256xf32>) -> tensor<256x256xf32>
  %none = linalg.fill ins(%zero : f32) outs(%column : tensor<256xf32>) -> tensor<256xf32>
  %start = linalg.fill ins(%zero : f32) outs(%result : tensor<256x64xf32>) -> tensor<256x64xf32>
  %s = linalg.contract indexing_maps = [#scores, #keys, #out] ins(%q, %k : tensor<256x64xbf16>, tensor<256x64xbf16>) outs(%zeros : tensor<256x256xf32>) -> tensor<256x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<256x256xf32>) outs(%square : tensor<256x256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = math.exp %a : f32
    linalg.yield %b : f32
  } -> tensor<256x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<256x256xf32>) outs(%none : tensor<256xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<256xf32>
  %narrow = tensor.empty() : tensor<256xbf16>
  %r = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%l : tensor<256xf32>) outs(%narrow : tensor<256xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %b = arith.truncf %a : f32 to bf16
    linalg.yield %b : bf16
  } -> tensor<256xbf16>
  %shares = tensor.empty() : tensor<256x256xbf16>
  %h = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %r : tensor<256x256xf32>, tensor<256xbf16>) outs(%shares : tensor<256x256xbf16>) {
  ^bb0(%a: f32, %y: bf16, %o: bf16):
    %w = arith.extf %y : bf16 to f32
    %b = arith.divf %a, %w : f32
    %c = arith.truncf %b : f32 to bf16
    linalg.yield %c : bf16
  } -> tensor<256x256xbf16>
  %u = linalg.contract indexing_maps = [#scores, #values, #out] ins(%h, %v : tensor<256x256xbf16>, tensor<256x64xbf16>) outs(%start : tensor<256x64xf32>) -> tensor<256x64xf32>
  return %u : tensor<256x64xf32>
}
