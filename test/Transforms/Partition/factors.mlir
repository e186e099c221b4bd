// RUN: trn-opt %s --trn-partition=cores=2 --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s --check-prefix=COLUMN
// RUN: trn-opt %s --trn-partition="cores=2 scheme=gather" --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: trn-opt %s --trn-partition="cores=2 scheme=reduce" --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s --check-prefix=REDUCE
// RUN: trn-opt %s --trn-partition="cores=3 scheme=gather" | FileCheck %s --check-prefix=PADDED
// RUN: trn-opt %s --trn-partition=cores=2 --trn-outline-kernels | FileCheck %s --check-prefix=KERNELS --implicit-check-not=kernel_2

// By outer dimensions alone: a chain of two products stays one, and the sum comes
// after both. The other factors are whole, which makes the break-even rank smaller.

// COLUMN: remark: [Analysis] Rank {{.*}} break_even_rank=32, matrix=gate, rank=32
// COLUMN: remark: [Analysis] Rank {{.*}} break_even_rank=32, matrix=up, rank=32
// COLUMN: remark: [Analysis] Rank {{.*}} break_even_rank=32, matrix=down, rank=32
// COLUMN: remark: [Passed] Partitioned {{.*}} Function=mlp | all_gathers=0, all_reduces=1, bytes=2048, cores=2, reduce_scatters=0, scheme=column
// COLUMN: func.func @mlp(%arg0: tensor<16x64xbf16>,
// COLUMN-SAME: %arg1: tensor<32x64xbf16> {trn.param = "model.layers.0.mlp.gate_v_proj.weight"}
// COLUMN-SAME: %arg2: tensor<64x32xbf16> {{{[^}]*}}#trn.shard<dim = 0, pieces = 2, size = 128>}
// COLUMN-SAME: %arg5: tensor<32x64xbf16> {{{[^}]*}}#trn.shard<dim = 1, pieces = 2, size = 128>}
// COLUMN-SAME: %arg6: tensor<64x32xbf16> {trn.param = "model.layers.0.mlp.down_u_proj.weight"}
// COLUMN: linalg.matmul {{.*}}, %arg6
// COLUMN: shard.all_reduce {{.*}} : tensor<16x64xbf16> ->

// All of it is one kernel.

// KERNELS: call @mlp_kernel(
// KERNELS: shard.all_reduce
// KERNELS: return
// KERNELS: func.func private @mlp_kernel(

// Ranks, too: what the first factors give is gathered, and of down scattered.

// GATHER: break_even_rank=42, matrix=gate, rank=32
// GATHER: remark: [Passed] Partitioned {{.*}} all_gathers=2, all_reduces=1, bytes=5120, cores=2, reduce_scatters=1, scheme=gather
// GATHER: func.func @mlp(%arg0: tensor<16x64xbf16>,
// GATHER-SAME: %arg1: tensor<16x64xbf16> {{{[^}]*}}#trn.shard<dim = 0, pieces = 2, size = 32>}
// GATHER-SAME: %arg2: tensor<64x32xbf16> {{{[^}]*}}#trn.shard<dim = 0, pieces = 2, size = 128>}
// GATHER-SAME: %arg5: tensor<32x64xbf16> {{{[^}]*}}#trn.shard<dim = 1, pieces = 2, size = 128>}
// GATHER-SAME: %arg6: tensor<64x16xbf16> {{{[^}]*}}#trn.shard<dim = 1, pieces = 2, size = 32>}
// GATHER: %[[Y:.*]] = shard.all_gather {{.*}} gather_axis = 1 : tensor<16x16xbf16> -> tensor<16x32xbf16>
// GATHER: linalg.matmul {{.*}} ins(%[[Y]], %arg2 :
// GATHER: linalg.matmul {{.*}}, %arg5 : tensor<16x64xbf16>
// GATHER: %[[R:.*]] = shard.reduce_scatter {{.*}} scatter_axis = 1 : tensor<16x32xbf16> -> tensor<16x16xbf16>
// GATHER: linalg.matmul {{.*}} ins(%[[R]], %arg6 :
// GATHER: shard.all_reduce

// By ranks alone: each second factor gives a sum.

// REDUCE: remark: [Passed] Partitioned {{.*}} all_gathers=0, all_reduces=3, bytes=18432, cores=2, reduce_scatters=0, scheme=reduce
// REDUCE: func.func @mlp(%arg0: tensor<16x64xbf16>,
// REDUCE-SAME: %arg1: tensor<16x64xbf16> {{{[^}]*}}#trn.shard<dim = 0, pieces = 2, size = 32>}
// REDUCE-SAME: %arg2: tensor<128x16xbf16> {{{[^}]*}}#trn.shard<dim = 1, pieces = 2, size = 32>}
// REDUCE-SAME: %arg5: tensor<16x128xbf16> {{{[^}]*}}#trn.shard<dim = 0, pieces = 2, size = 32>}
// REDUCE-SAME: %arg6: tensor<64x16xbf16> {{{[^}]*}}#trn.shard<dim = 1, pieces = 2, size = 32>}
// REDUCE-COUNT-2: shard.all_reduce {{.*}} : tensor<16x128xf32>
// REDUCE: shard.all_reduce {{.*}} : tensor<16x64xbf16>

// What is gathered of padded pieces loses the padding, what is scattered gets some.

// PADDED: %[[ALL:.*]] = shard.all_gather {{.*}} : tensor<16x11xbf16> -> tensor<16x33xbf16>
// PADDED: tensor.extract_slice %[[ALL]][0, 0] [16, 32] [1, 1]
// PADDED: %[[PADDED:.*]] = tensor.pad {{.*}} low[0, 0] high[0, 1]
// PADDED: shard.reduce_scatter %[[PADDED]] {{.*}} : tensor<16x33xbf16> -> tensor<16x11xbf16>

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>
#row = affine_map<(m, n) -> (n)>

func.func @mlp(%x: tensor<16x64xbf16>,
               %gate_v: tensor<32x64xbf16> {trn.param = "model.layers.0.mlp.gate_v_proj.weight"},
               %gate_u: tensor<128x32xbf16> {trn.param = "model.layers.0.mlp.gate_u_proj.weight"},
               %up_v: tensor<32x64xbf16> {trn.param = "model.layers.0.mlp.up_v_proj.weight"},
               %up_u: tensor<128x32xbf16> {trn.param = "model.layers.0.mlp.up_u_proj.weight"},
               %down_v: tensor<32x128xbf16> {trn.param = "model.layers.0.mlp.down_v_proj.weight"},
               %down_u: tensor<64x32xbf16> {trn.param = "model.layers.0.mlp.down_u_proj.weight"})
    -> tensor<16x64xbf16> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %fill_r_empty = tensor.empty() : tensor<16x32xf32>
  %fill_r = linalg.fill ins(%zero : f32) outs(%fill_r_empty : tensor<16x32xf32>) -> tensor<16x32xf32>
  %fill_n_empty = tensor.empty() : tensor<16x128xf32>
  %fill_n = linalg.fill ins(%zero : f32) outs(%fill_n_empty : tensor<16x128xf32>) -> tensor<16x128xf32>
  %fill_k_empty = tensor.empty() : tensor<16x64xf32>
  %fill_k = linalg.fill ins(%zero : f32) outs(%fill_k_empty : tensor<16x64xf32>) -> tensor<16x64xf32>
  %gate_wide = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %gate_v : tensor<16x64xbf16>, tensor<32x64xbf16>) outs(%fill_r : tensor<16x32xf32>) -> tensor<16x32xf32>
  %gate_y_empty = tensor.empty() : tensor<16x32xbf16>
  %gate_y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate_wide : tensor<16x32xf32>) outs(%gate_y_empty : tensor<16x32xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x32xbf16>
  %gate = linalg.matmul indexing_maps = [#x, #w, #y] ins(%gate_y, %gate_u : tensor<16x32xbf16>, tensor<128x32xbf16>) outs(%fill_n : tensor<16x128xf32>) -> tensor<16x128xf32>
  %up_wide = linalg.matmul indexing_maps = [#x, #w, #y] ins(%x, %up_v : tensor<16x64xbf16>, tensor<32x64xbf16>) outs(%fill_r : tensor<16x32xf32>) -> tensor<16x32xf32>
  %up_y_empty = tensor.empty() : tensor<16x32xbf16>
  %up_y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%up_wide : tensor<16x32xf32>) outs(%up_y_empty : tensor<16x32xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x32xbf16>
  %up = linalg.matmul indexing_maps = [#x, #w, #y] ins(%up_y, %up_u : tensor<16x32xbf16>, tensor<128x32xbf16>) outs(%fill_n : tensor<16x128xf32>) -> tensor<16x128xf32>
  %h_empty = tensor.empty() : tensor<16x128xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%gate, %up : tensor<16x128xf32>, tensor<16x128xf32>) outs(%h_empty : tensor<16x128xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %0 = arith.negf %a : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %a, %2 : f32
    %4 = arith.mulf %3, %b : f32
    %5 = arith.truncf %4 : f32 to bf16
    linalg.yield %5 : bf16
  } -> tensor<16x128xbf16>
  %down_wide = linalg.matmul indexing_maps = [#x, #w, #y] ins(%h, %down_v : tensor<16x128xbf16>, tensor<32x128xbf16>) outs(%fill_r : tensor<16x32xf32>) -> tensor<16x32xf32>
  %down_y_empty = tensor.empty() : tensor<16x32xbf16>
  %down_y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%down_wide : tensor<16x32xf32>) outs(%down_y_empty : tensor<16x32xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x32xbf16>
  %y = linalg.matmul indexing_maps = [#x, #w, #y] ins(%down_y, %down_u : tensor<16x32xbf16>, tensor<64x32xbf16>) outs(%fill_k : tensor<16x64xf32>) -> tensor<16x64xf32>
  %r_empty = tensor.empty() : tensor<16x64xbf16>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<16x64xf32>) outs(%r_empty : tensor<16x64xbf16>) {
  ^bb0(%in: f32, %out: bf16):
    %0 = arith.truncf %in : f32 to bf16
    linalg.yield %0 : bf16
  } -> tensor<16x64xbf16>
  return %r : tensor<16x64xbf16>
}
