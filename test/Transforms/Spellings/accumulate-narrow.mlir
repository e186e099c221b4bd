// C += A * B in bf16 and f16: both are added in f32 and rounded once.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-2: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>, %c: tensor<24x56xbf16>, %y: tensor<8x40xf16>, %u: tensor<56x40xf16>, %b: tensor<56xf16>) -> (tensor<24x56xbf16>, tensor<8x56xf16>) {
  %o = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%c : tensor<24x56xbf16>) -> tensor<24x56xbf16>
  %empty = tensor.empty() : tensor<8x56xf16>
  %rows = linalg.broadcast ins(%b : tensor<56xf16>) outs(%empty : tensor<8x56xf16>) dimensions = [0]
  %p = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%y, %u : tensor<8x40xf16>, tensor<56x40xf16>) outs(%rows : tensor<8x56xf16>) -> tensor<8x56xf16>
  return %o, %p : tensor<24x56xbf16>, tensor<8x56xf16>
}
