// Gate and up as torch packs them, [2 * N, K], for a batch of one, with a bias, rounded before they are
// taken apart.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: load_ops{{.*}}
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j, k) -> (i, j, k)>
#bias = affine_map<(i, j, k) -> (k)>
func.func @main(%x: tensor<1x24x40xf16>, %w: tensor<112x40xf16> {trn.param = "w"}, %bias: tensor<112xf16> {trn.param = "b"}) -> tensor<1x24x56xf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x24x112xf32>
  %one = arith.constant 1.0 : f16
  %turned_empty = tensor.empty() : tensor<40x112xf16>
  %turned = linalg.transpose ins(%w : tensor<112x40xf16>) outs(%turned_empty : tensor<40x112xf16>) permutation = [1, 0]
  %batch_empty = tensor.empty() : tensor<1x40x112xf16>
  %batch = linalg.broadcast ins(%turned : tensor<40x112xf16>) outs(%batch_empty : tensor<1x40x112xf16>) dimensions = [0]
  %y = linalg.batch_matmul ins(%x, %batch : tensor<1x24x40xf16>, tensor<1x40x112xf16>) outs(%zeros : tensor<1x24x112xf32>) -> tensor<1x24x112xf32>
  %rounded_empty = tensor.empty() : tensor<1x24x112xf16>
  %rounded = linalg.generic {indexing_maps = [#id, #bias, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %bias : tensor<1x24x112xf32>, tensor<112xf16>) outs(%rounded_empty : tensor<1x24x112xf16>) {
  ^bb0(%a: f32, %c: f16, %out: f16):
    %wide = arith.extf %c : f16 to f32
    %s = arith.addf %a, %wide : f32
    %r = arith.truncf %s : f32 to f16
    linalg.yield %r : f16
  } -> tensor<1x24x112xf16>
  %gate = tensor.extract_slice %rounded[0, 0, 0] [1, 24, 56] [1, 1, 1] : tensor<1x24x112xf16> to tensor<1x24x56xf16>
  %up = tensor.extract_slice %rounded[0, 0, 56] [1, 24, 56] [1, 1, 1] : tensor<1x24x112xf16> to tensor<1x24x56xf16>
  %empty = tensor.empty() : tensor<1x24x56xf16>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%gate, %up : tensor<1x24x56xf16>, tensor<1x24x56xf16>) outs(%empty : tensor<1x24x56xf16>) {
  ^bb0(%a: f16, %b: f16, %out: f16):
    %negated = arith.negf %a : f16
    %power = math.exp %negated : f16
    %sum = arith.addf %power, %one : f16
    %silu = arith.divf %a, %sum : f16
    %p = arith.mulf %silu, %b : f16
    linalg.yield %p : f16
  } -> tensor<1x24x56xf16>
  return %o : tensor<1x24x56xf16>
}
