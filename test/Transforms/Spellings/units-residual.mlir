// Of two operands with an index of 0, one has a batch of one and one has no batch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 76,800
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#unit = affine_map<(d0, d1, d2) -> (0, d1, d2)>
#vector = affine_map<(d0, d1, d2) -> (0, d2)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

func.func @main(%x: tensor<1x24x40xbf16>, %w: tensor<1x40x40xbf16>, %bias: tensor<1x40xf32>) -> tensor<1x24x40xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<1x24x40xf32>
  %y = linalg.batch_matmul ins(%x, %w : tensor<1x24x40xbf16>, tensor<1x40x40xbf16>) outs(%zeros : tensor<1x24x40xf32>) -> tensor<1x24x40xf32>
  %empty = tensor.empty() : tensor<1x24x40xbf16>
  %o = linalg.generic {indexing_maps = [#unit, #unit, #vector, #all], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y, %x, %bias : tensor<1x24x40xf32>, tensor<1x24x40xbf16>, tensor<1x40xf32>) outs(%empty : tensor<1x24x40xbf16>) {
  ^bb0(%a: f32, %b: bf16, %c: f32, %old: bf16):
    %residual = arith.extf %b : bf16 to f32
    %sum = arith.addf %a, %c : f32
    %all = arith.addf %sum, %residual : f32
    %rounded = arith.truncf %all : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<1x24x40xbf16>
  return %o : tensor<1x24x40xbf16>
}
