// Heads are normed and rotated in the kernel of their projection, as torch-mlir writes Qwen3.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: relative error
// CHECK-NOT: host op
// CHECK: {{^}}kernel main_kernel
// CHECK: kernel main_kernel_2
// CHECK-NOT: {{^}}kernel main

#i = affine_map<(b, r, g, c) -> (b, r, g, c)>
#s = affine_map<(b, r, g, c) -> (b, r, g, 0)>
#k = affine_map<(b, r, g, c) -> (c)>
#t = affine_map<(b, g, r, c) -> (b, g, r, c)>
#cs = affine_map<(b, g, r, c) -> (0, 0, r, c)>
func.func @main(%x: tensor<1x40x96xf32>, %w: tensor<1x96x48xf32>, %gain: tensor<16xf32>, %c: tensor<1x1x40x16xf32>, %sn: tensor<1x1x40x16xf32>, %keys: tensor<3x40x16xf32>) -> tensor<3x40x40xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x40x48xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x40x48xf32>) -> tensor<1x40x48xf32>
  %p = linalg.batch_matmul ins(%x, %w : tensor<1x40x96xf32>, tensor<1x96x48xf32>) outs(%f : tensor<1x40x48xf32>) -> tensor<1x40x48xf32>
  %h = tensor.expand_shape %p [[0], [1], [2, 3]] output_shape [1, 40, 3, 16] : tensor<1x40x48xf32> into tensor<1x40x3x16xf32>
  %he = tensor.empty() : tensor<1x40x3x16xf32>
  %sq = linalg.generic {indexing_maps = [#i, #i], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%h : tensor<1x40x3x16xf32>) outs(%he : tensor<1x40x3x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %two = arith.constant 2 : i64
    %v = math.fpowi %a, %two : f32, i64
    linalg.yield %v : f32
  } -> tensor<1x40x3x16xf32>
  %se = tensor.empty() : tensor<1x40x3x1xf32>
  %sz = linalg.fill ins(%z : f32) outs(%se : tensor<1x40x3x1xf32>) -> tensor<1x40x3x1xf32>
  %su = linalg.generic {indexing_maps = [#i, #s], iterator_types = ["parallel","parallel","parallel","reduction"]} ins(%sq : tensor<1x40x3x16xf32>) outs(%sz : tensor<1x40x3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.addf %a, %o : f32
    linalg.yield %v : f32
  } -> tensor<1x40x3x1xf32>
  %m = linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%su : tensor<1x40x3x1xf32>) outs(%se : tensor<1x40x3x1xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.constant 16.0 : f32
    %ep = arith.constant 1.0e-6 : f32
    %v = arith.divf %a, %n : f32
    %v2 = arith.addf %v, %ep : f32
    %v3 = math.rsqrt %v2 : f32
    linalg.yield %v3 : f32
  } -> tensor<1x40x3x1xf32>
  %nn = linalg.generic {indexing_maps = [#i, #s, #i], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%h, %m : tensor<1x40x3x16xf32>, tensor<1x40x3x1xf32>) outs(%he : tensor<1x40x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x40x3x16xf32>
  %ng = linalg.generic {indexing_maps = [#k, #i, #i], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%gain, %nn : tensor<16xf32>, tensor<1x40x3x16xf32>) outs(%he : tensor<1x40x3x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x40x3x16xf32>
  %te = tensor.empty() : tensor<1x3x40x16xf32>
  %q = linalg.transpose ins(%ng : tensor<1x40x3x16xf32>) outs(%te : tensor<1x3x40x16xf32>) permutation = [0, 2, 1, 3]
  %lo = tensor.extract_slice %q[0, 0, 0, 0] [1, 3, 40, 8] [1, 1, 1, 1] : tensor<1x3x40x16xf32> to tensor<1x3x40x8xf32>
  %hi = tensor.extract_slice %q[0, 0, 0, 8] [1, 3, 40, 8] [1, 1, 1, 1] : tensor<1x3x40x16xf32> to tensor<1x3x40x8xf32>
  %ne = tensor.empty() : tensor<1x3x40x8xf32>
  %neg = linalg.generic {indexing_maps = [#t, #t], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%hi : tensor<1x3x40x8xf32>) outs(%ne : tensor<1x3x40x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %v = arith.negf %a : f32
    linalg.yield %v : f32
  } -> tensor<1x3x40x8xf32>
  %tu = tensor.concat dim(3) %neg, %lo : (tensor<1x3x40x8xf32>, tensor<1x3x40x8xf32>) -> tensor<1x3x40x16xf32>
  %mc = linalg.generic {indexing_maps = [#t, #cs, #t], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%q, %c : tensor<1x3x40x16xf32>, tensor<1x1x40x16xf32>) outs(%te : tensor<1x3x40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x3x40x16xf32>
  %ms = linalg.generic {indexing_maps = [#t, #cs, #t], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%tu, %sn : tensor<1x3x40x16xf32>, tensor<1x1x40x16xf32>) outs(%te : tensor<1x3x40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.mulf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x3x40x16xf32>
  %ro = linalg.generic {indexing_maps = [#t, #t, #t], iterator_types = ["parallel","parallel","parallel","parallel"]} ins(%mc, %ms : tensor<1x3x40x16xf32>, tensor<1x3x40x16xf32>) outs(%te : tensor<1x3x40x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %v = arith.addf %a, %b : f32
    linalg.yield %v : f32
  } -> tensor<1x3x40x16xf32>
  %rc = tensor.collapse_shape %ro [[0, 1], [2], [3]] : tensor<1x3x40x16xf32> into tensor<3x40x16xf32>
  %e3 = tensor.empty() : tensor<3x40x40xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  %sc = linalg.contract indexing_maps = [affine_map<(b,m,n,k)->(b,m,k)>, affine_map<(b,m,n,k)->(b,n,k)>, affine_map<(b,m,n,k)->(b,m,n)>] ins(%rc, %keys : tensor<3x40x16xf32>, tensor<3x40x16xf32>) outs(%f3 : tensor<3x40x40xf32>) -> tensor<3x40x40xf32>
  return %sc : tensor<3x40x40xf32>
}
