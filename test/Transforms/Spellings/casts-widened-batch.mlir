// StableHLO converts first and reshapes to a batch then.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<1x24x56xbf16> {
  %zero = arith.constant 0.0 : f32
  %x_empty = tensor.empty() : tensor<24x40xf32>
  %x_wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<24x40xbf16>) outs(%x_empty : tensor<24x40xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %e = arith.extf %in : bf16 to f32
    linalg.yield %e : f32
  } -> tensor<24x40xf32>
  %w_wide = arith.extf %w : tensor<40x56xbf16> to tensor<40x56xf32>
  %x3 = tensor.expand_shape %x_wide [[0, 1], [2]] output_shape [1, 24, 40] : tensor<24x40xf32> into tensor<1x24x40xf32>
  %w3 = tensor.expand_shape %w_wide [[0, 1], [2]] output_shape [1, 40, 56] : tensor<40x56xf32> into tensor<1x40x56xf32>
  %empty = tensor.empty() : tensor<1x24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %sum = linalg.batch_matmul ins(%x3, %w3 : tensor<1x24x40xf32>, tensor<1x40x56xf32>) outs(%zeros : tensor<1x24x56xf32>) -> tensor<1x24x56xf32>
  %o = arith.truncf %sum : tensor<1x24x56xf32> to tensor<1x24x56xbf16>
  return %o : tensor<1x24x56xbf16>
}
