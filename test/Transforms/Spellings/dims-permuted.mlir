// Loops in an order of their own, the result the other way round, as dot_general is lowered.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<40x24xbf16>, %w: tensor<40x56xbf16>) -> tensor<56x24xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<56x24xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%empty : tensor<56x24xbf16>) -> tensor<56x24xbf16>
  %o = linalg.generic {
      indexing_maps = [affine_map<(k, n, m) -> (k, m)>, affine_map<(k, n, m) -> (k, n)>, affine_map<(k, n, m) -> (n, m)>],
      iterator_types = ["reduction", "parallel", "parallel"]}
      ins(%x, %w : tensor<40x24xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<56x24xbf16>) {
  ^bb0(%a: bf16, %b: bf16, %c: bf16):
    %p = arith.mulf %b, %a : bf16
    %s = arith.addf %c, %p : bf16
    linalg.yield %s : bf16
  } -> tensor<56x24xbf16>
  return %o : tensor<56x24xbf16>
}
