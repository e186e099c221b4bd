// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s
// RUN: trn-opt %s --trn-partition=cores=2 | trn-opt --canonicalize --trn-partition=cores=2 | FileCheck %s
// RUN: trn-opt %s --trn-partition=cores=1 | FileCheck %s --check-prefix=ONE --implicit-check-not=shard

// Gate and up are split by their outputs, down by its inputs, and a sum over all
// cores follows it, of what it is rounded to. One core has no part of this.

// CHECK: shard.grid @cores(shape = 2)
// CHECK-LABEL: func.func @mlp(%arg0: tensor<16x64xbf16>,
// CHECK-SAME: %arg1: tensor<64x64xbf16> {trn.param = "model.layers.0.mlp.gate_proj.weight", trn.shard = #trn.shard<dim = 0, pieces = 2, size = 128>}
// CHECK-SAME: %arg2: tensor<64x64xbf16> {trn.param = "model.layers.0.mlp.up_proj.weight", trn.shard = #trn.shard<dim = 0, pieces = 2, size = 128>}
// CHECK-SAME: %arg3: tensor<64x64xbf16> {trn.param = "model.layers.0.mlp.down_proj.weight", trn.shard = #trn.shard<dim = 1, pieces = 2, size = 128>})
// CHECK-SAME: -> tensor<16x64xbf16> {
// CHECK: linalg.matmul {{.*}} ins(%arg0, %arg1 : {{.*}} -> tensor<16x64xf32>
// CHECK: linalg.matmul {{.*}} ins(%arg0, %arg2 : {{.*}} -> tensor<16x64xf32>
// CHECK: linalg.matmul {{.*}} ins(%{{.*}}, %arg3 : {{.*}} -> tensor<16x64xf32>
// CHECK: %[[ROUNDED:.*]] = linalg.generic
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[ROUNDED]] on @cores grid_axes = [0] : tensor<16x64xbf16> -> tensor<16x64xbf16>
// CHECK-NOT: shard
// CHECK: return %[[SUM]]

// ONE: @mlp(%arg0: tensor<16x64xbf16>, %arg1: tensor<128x64xbf16>

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

func.func @mlp(%x: tensor<16x64xbf16>,
               %gate: tensor<128x64xbf16> {trn.param = "model.layers.0.mlp.gate_proj.weight"},
               %up: tensor<128x64xbf16> {trn.param = "model.layers.0.mlp.up_proj.weight"},
               %down: tensor<64x128xbf16> {trn.param = "model.layers.0.mlp.down_proj.weight"})
    -> tensor<16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fill_empty = tensor.empty() : tensor<16x128xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%fill_empty : tensor<16x128xf32>) -> tensor<16x128xf32>
  %g = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %gate : tensor<16x64xbf16>, tensor<128x64xbf16>) outs(%fill : tensor<16x128xf32>) -> tensor<16x128xf32>
  %u = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %up : tensor<16x64xbf16>, tensor<128x64xbf16>) outs(%fill : tensor<16x128xf32>) -> tensor<16x128xf32>
  %h_empty = tensor.empty() : tensor<16x128xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%g, %u : tensor<16x128xf32>, tensor<16x128xf32>) outs(%h_empty : tensor<16x128xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    %4 = arith.mulf %3, %b : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<16x128xbf16>
  %fill_y_empty = tensor.empty() : tensor<16x64xf32>
  %fill_y = linalg.fill ins(%zero : f32) outs(%fill_y_empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %down : tensor<16x128xbf16>, tensor<64x128xbf16>) outs(%fill_y : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r_empty = tensor.empty() : tensor<16x64xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x64xf32>) outs(%r_empty : tensor<16x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x64xbf16>
  return %r : tensor<16x64xbf16>
}
