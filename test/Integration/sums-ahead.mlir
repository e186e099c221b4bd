// Sums that are made while an iteration runs have a place of their own: it still divides by those before.
// RUN: trn-run %s --compile=effort=4 --verify | FileCheck %s
// CHECK: verify: result 0: relative error

#q = affine_map<(b, h, g, m, t, d) -> (b, h, g, m, d)>
#k = affine_map<(b, h, g, m, t, d) -> (b, h, t, d)>
#s = affine_map<(b, h, g, m, t, d) -> (b, h, g, m, t)>
#o = affine_map<(b, h, g, m, t, d) -> (b, m, h, g, d)>
#id = affine_map<(b, h, g, m, t) -> (b, h, g, m, t)>
#row = affine_map<(b, h, g, m, t) -> (b, h, g, m)>
#mk = affine_map<(b, h, g, m, t) -> (m, t)>
func.func @main(%q: tensor<2x5x2x129x64xf32>, %k: tensor<2x5x129x64xf32>, %v: tensor<2x5x129x64xf32>) -> (tensor<2x129x5x2x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.125000000 : f32
  %se = tensor.empty() : tensor<2x5x2x129x129xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x5x2x129x129xf32>) -> tensor<2x5x2x129x129xf32>
  %s0 = linalg.contract indexing_maps = [#q, #k, #s] ins(%q, %k : tensor<2x5x2x129x64xf32>, tensor<2x5x129x64xf32>) outs(%sz : tensor<2x5x2x129x129xf32>) -> tensor<2x5x2x129x129xf32>
  %s1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%s0 : tensor<2x5x2x129x129xf32>) outs(%se : tensor<2x5x2x129x129xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = arith.mulf %a, %scale : f32
    %i = linalg.index 3 : index
    %j = linalg.index 4 : index
    %off = arith.constant 0 : index
    %ii = arith.addi %i, %off : index
    %c = arith.cmpi sle, %j, %ii : index
    %y = arith.select %c, %x, %low : f32
    linalg.yield %y : f32
  } -> tensor<2x5x2x129x129xf32>
  %re = tensor.empty() : tensor<2x5x2x129xf32>
  %rz = linalg.fill ins(%zero : f32) outs(%re : tensor<2x5x2x129xf32>) -> tensor<2x5x2x129xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%s1 : tensor<2x5x2x129x129xf32>) outs(%se : tensor<2x5x2x129x129xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = math.exp %a : f32
    linalg.yield %x : f32
  } -> tensor<2x5x2x129x129xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel","parallel","parallel","parallel","reduction"]} ins(%e : tensor<2x5x2x129x129xf32>) outs(%rz : tensor<2x5x2x129xf32>) {
  ^bb0(%a: f32, %u: f32):
    %x = arith.addf %a, %u : f32
    linalg.yield %x : f32
  } -> tensor<2x5x2x129xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel","parallel","parallel","parallel","parallel"]} ins(%e, %l : tensor<2x5x2x129x129xf32>, tensor<2x5x2x129xf32>) outs(%se : tensor<2x5x2x129x129xf32>) {
  ^bb0(%a: f32, %b: f32, %u: f32):
    %x = arith.divf %a, %b : f32
    linalg.yield %x : f32
  } -> tensor<2x5x2x129x129xf32>
  %oe = tensor.empty() : tensor<2x129x5x2x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x129x5x2x64xf32>) -> tensor<2x129x5x2x64xf32>
  %o = linalg.contract indexing_maps = [#s, #k, #o] ins(%p, %v : tensor<2x5x2x129x129xf32>, tensor<2x5x129x64xf32>) outs(%oz : tensor<2x129x5x2x64xf32>) -> tensor<2x129x5x2x64xf32>
  return %o : tensor<2x129x5x2x64xf32>
}
