// Sums of a nest that its instructions make for the next one are of all columns, also where a mask hides some of them only.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error

#q = affine_map<(b, h, g, m, t, d) -> (b, h, g, m, d)>
#k = affine_map<(b, h, g, m, t, d) -> (b, h, t, d)>
#s = affine_map<(b, h, g, m, t, d) -> (b, h, g, m, t)>
#o = affine_map<(b, h, g, m, t, d) -> (b, h, g, m, d)>
#id = affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>
#row = affine_map<(b, h, g, m, t) -> (b, h, g, m)>
#mk = affine_map<(b, h, g, m, t) -> (m, t)>
func.func @main(%q: tensor<1x4x3x256x32xbf16>, %k: tensor<1x4x256x32xbf16>, %v: tensor<1x4x256x32xbf16>) -> (tensor<1x4x3x256x32xbf16>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.176776695 : f32
  %se = tensor.empty() : tensor<1x4x3x256x256xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<1x4x3x256x256xf32>) -> tensor<1x4x3x256x256xf32>
  %s0 = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<1x4x3x256x32xbf16>, tensor<1x4x256x32xbf16>) outs(%sz : tensor<1x4x3x256x256xf32>) -> tensor<1x4x3x256x256xf32>
  %s1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%s0 : tensor<1x4x3x256x256xf32>) outs(%se : tensor<1x4x3x256x256xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = arith.mulf %a, %scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %off = arith.constant 0 : index
    %ii = arith.addi %i, %off : index
    %c = arith.cmpi sle, %j, %ii : index
    %y = arith.select %c, %x, %low : f32
    linalg.yield %y : f32
  } -> tensor<1x4x3x256x256xf32>
  %re = tensor.empty() : tensor<1x4x3x256xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<1x4x3x256xf32>) -> tensor<1x4x3x256xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%s1 : tensor<1x4x3x256x256xf32>) outs(%se : tensor<1x4x3x256x256xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = math.exp %a : f32
    linalg.yield %x : f32
  } -> tensor<1x4x3x256x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]} ins(%e : tensor<1x4x3x256x256xf32>) outs(%rz : tensor<1x4x3x256xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = arith.addf %a, %u : f32
    linalg.yield %x : f32
  } -> tensor<1x4x3x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%e, %l : tensor<1x4x3x256x256xf32>, tensor<1x4x3x256xf32>) outs(%se : tensor<1x4x3x256x256xf32>) {
  ^bb0(%a: f32, %b: f32, %u: f32):
    %x = arith.divf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<1x4x3x256x256xf32>
  %pe = tensor.empty() : tensor<1x4x3x256x256xbf16>
  %pb = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%p : tensor<1x4x3x256x256xf32>) outs(%pe : tensor<1x4x3x256x256xbf16>) {
  ^bb0(%a: f32, %u: bf16):
    %x = arith.truncf %a : f32 to bf16
    linalg.yield %x : bf16
  } -> tensor<1x4x3x256x256xbf16>
  %oe = tensor.empty() : tensor<1x4x3x256x32xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<1x4x3x256x32xf32>) -> tensor<1x4x3x256x32xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #o] ins(%pb, %v : tensor<1x4x3x256x256xbf16>, tensor<1x4x256x32xbf16>) outs(%oz : tensor<1x4x3x256x32xf32>) -> tensor<1x4x3x256x32xf32>
  %fe0 = tensor.empty() : tensor<1x4x3x256x32xbf16>
  %f0 = linalg.generic {indexing_maps = [affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>, affine_map<(a, b, c, d, e) -> (a, b, c, d, e)>], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%o : tensor<1x4x3x256x32xf32>) outs(%fe0 : tensor<1x4x3x256x32xbf16>) {
  ^bb0(%a: f32, %u: bf16):
    %m = arith.constant 1.0 : f32
    %x = arith.mulf %a, %m : f32
    %y = arith.truncf %x : f32 to bf16
    linalg.yield %y : bf16
  } -> tensor<1x4x3x256x32xbf16>
  return %f0 : tensor<1x4x3x256x32xbf16>
}
