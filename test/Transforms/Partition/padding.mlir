// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s

// 129 is cut into runs of 65, the last of which has a zero more: silu(0) * 0 takes
// no part in a sum.

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: %arg1: tensor<65x64xbf16> {{{[^}]*}}trn.shard = #trn.shard<dim = 0, pieces = 2, size = 129>}
// CHECK-SAME: %arg3: tensor<64x65xbf16> {{{[^}]*}}trn.shard = #trn.shard<dim = 1, pieces = 2, size = 129>}
// CHECK: shard.all_reduce
// CHECK-NOT: shard.
// CHECK: return

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

func.func @mlp(%x: tensor<16x64xbf16>,
               %gate: tensor<129x64xbf16> {trn.param = "model.layers.0.mlp.gate_proj.weight"},
               %up: tensor<129x64xbf16> {trn.param = "model.layers.0.mlp.up_proj.weight"},
               %down: tensor<64x129xbf16> {trn.param = "model.layers.0.mlp.down_proj.weight"})
    -> tensor<16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fill_empty = tensor.empty() : tensor<16x129xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%fill_empty : tensor<16x129xf32>) -> tensor<16x129xf32>
  %g = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %gate : tensor<16x64xbf16>, tensor<129x64xbf16>) outs(%fill : tensor<16x129xf32>) -> tensor<16x129xf32>
  %u = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %up : tensor<16x64xbf16>, tensor<129x64xbf16>) outs(%fill : tensor<16x129xf32>) -> tensor<16x129xf32>
  %h_empty = tensor.empty() : tensor<16x129xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<16x129xf32>, tensor<16x129xf32>) outs(%h_empty : tensor<16x129xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    %4 = arith.mulf %3, %b : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<16x129xbf16>
  %fill_y_empty = tensor.empty() : tensor<16x64xf32>
  %fill_y = linalg.fill ins(%zero : f32) outs(%fill_y_empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %down : tensor<16x129xbf16>, tensor<64x129xbf16>) outs(%fill_y : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r_empty = tensor.empty() : tensor<16x64xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x64xf32>) outs(%r_empty : tensor<16x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x64xbf16>
  return %r : tensor<16x64xbf16>
}
