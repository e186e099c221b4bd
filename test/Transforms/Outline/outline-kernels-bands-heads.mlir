// RUN: trn-opt %s --trn-normalize-rows --trn-normalize-products --trn-outline-kernels | FileCheck %s

// Heads that share keys stay rows of one product: each has the same mask, which begins anew for it.

// CHECK: func.func private @main_kernel({{.*}}memref<512x256xbf16> {trn.band = #trn.band<none to 0 of inf every 256>}
func.func @main(%q: tensor<2x2x256x64xbf16>, %k: tensor<2x256x64xbf16>, %v: tensor<2x256x64xbf16>) -> tensor<2x2x256x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %far = arith.constant -3.0e4 : f32
  %sc = arith.constant 0.125 : f32
  %one = arith.constant 1 : index
  %win = arith.constant 40 : index
  %se = tensor.empty() : tensor<2x2x256x256xf32>
  %re = tensor.empty() : tensor<2x2x256xf32>
  %oe = tensor.empty() : tensor<2x2x256x64xf32>
  %pe = tensor.empty() : tensor<2x2x256x256xbf16>
  %ote = tensor.empty() : tensor<2x2x256x64xbf16>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x2x256x256xf32>) -> tensor<2x2x256x256xf32>
  %rl = linalg.fill ins(%low : f32) outs(%re : tensor<2x2x256xf32>) -> tensor<2x2x256xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x2x256xf32>) -> tensor<2x2x256xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x2x256x64xf32>) -> tensor<2x2x256x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(h, g, q, k, d) -> (h, g, q, d)>, affine_map<(h, g, q, k, d) -> (h, k, d)>, affine_map<(h, g, q, k, d) -> (h, g, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%q, %k : tensor<2x2x256x64xbf16>, tensor<2x256x64xbf16>) outs(%sz : tensor<2x2x256x256xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %m = arith.mulf %aw, %bw : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x2x256x256xf32>
  %s2 = linalg.generic {indexing_maps = [affine_map<(h, g, q, k) -> (h, g, q, k)>, affine_map<(h, g, q, k) -> (h, g, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<2x2x256x256xf32>) outs(%se : tensor<2x2x256x256xf32>) {
  ^bb0(%a: f32, %out: f32):
    %x0 = arith.mulf %a, %sc : f32
    %iq = linalg.index 2 : index
    %ik = linalg.index 3 : index
    %c0 = arith.cmpi sge, %iq, %ik : index
    %x1 = arith.select %c0, %x0, %low : f32
    linalg.yield %x1 : f32
  } -> tensor<2x2x256x256xf32>
  %p = linalg.softmax dimension(3) ins(%s2 : tensor<2x2x256x256xf32>) outs(%se : tensor<2x2x256x256xf32>) -> tensor<2x2x256x256xf32>
  %pn = linalg.generic {indexing_maps = [affine_map<(h, g, q, k) -> (h, g, q, k)>, affine_map<(h, g, q, k) -> (h, g, q, k)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%p : tensor<2x2x256x256xf32>) outs(%pe : tensor<2x2x256x256xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %r = arith.truncf %a : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x2x256x256xbf16>
  %o = linalg.generic {indexing_maps = [affine_map<(h, g, q, d, k) -> (h, g, q, k)>, affine_map<(h, g, q, d, k) -> (h, k, d)>, affine_map<(h, g, q, d, k) -> (h, g, q, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%pn, %v : tensor<2x2x256x256xbf16>, tensor<2x256x64xbf16>) outs(%oz : tensor<2x2x256x64xf32>) {
  ^bb0(%a: bf16, %b: bf16, %acc: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %m = arith.mulf %aw, %bw : f32
    %r = arith.addf %m, %acc : f32
    linalg.yield %r : f32
  } -> tensor<2x2x256x64xf32>
  return %o : tensor<2x2x256x64xf32>
}
