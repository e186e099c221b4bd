// IREE's linear layer of a batch: one weight without the batch dimension.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<4x6x40xbf16>, %w: tensor<56x40xbf16>) -> tensor<4x6x56xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x6x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x6x56xf32>) -> tensor<4x6x56xf32>
  %sum = linalg.generic {
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x6x40xbf16>, tensor<56x40xbf16>) outs(%zeros : tensor<4x6x56xf32>) {
  ^bb0(%a: bf16, %b: bf16, %c: f32):
    %aw = arith.extf %a : bf16 to f32
    %bw = arith.extf %b : bf16 to f32
    %p = arith.mulf %aw, %bw : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x6x56xf32>
  %o = arith.truncf %sum : tensor<4x6x56xf32> to tensor<4x6x56xbf16>
  return %o : tensor<4x6x56xbf16>
}
