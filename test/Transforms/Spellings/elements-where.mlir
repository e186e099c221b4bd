// Rows, of which conditions choose elements, means and infinities: selects of kernels without products.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: over_bound_percent
// CHECK-NEXT: launches {{ *}}1{{$}}
// CHECK-NOT: host_ops

module {
  func.func @main(%a0: tensor<128x256xbf16>) -> (tensor<128x256xbf16>) {
    %v1 = arith.constant 0.0 : bf16
    %v2 = tensor.empty() : tensor<128x1xbf16>
    %v3 = linalg.fill ins(%v1 : bf16) outs(%v2 : tensor<128x1xbf16>) -> tensor<128x1xbf16>
    %v4 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>], iterator_types = ["parallel", "reduction"]} ins(%a0 : tensor<128x256xbf16>) outs(%v3 : tensor<128x1xbf16>) {
    ^bb0(%v4_i: bf16, %v4_o: bf16):
      %v4_y = arith.addf %v4_i, %v4_o : bf16
      linalg.yield %v4_y : bf16
    } -> tensor<128x1xbf16>
    %v5 = tensor.empty() : tensor<128x1xbf16>
    %v6 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v4 : tensor<128x1xbf16>) outs(%v5 : tensor<128x1xbf16>) {
    ^bb0(%v6_i0: bf16, %v6_o: bf16):
    %v7 = arith.constant 0.00390625 : bf16
    %v8 = arith.mulf %v6_i0, %v7 : bf16
      linalg.yield %v8 : bf16
    } -> tensor<128x1xbf16>
    %v9 = tensor.empty() : tensor<128x256xi1>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a0, %v6 : tensor<128x256xbf16>, tensor<128x1xbf16>) outs(%v9 : tensor<128x256xi1>) {
    ^bb0(%v10_i0: bf16, %v10_i1: bf16, %v10_o: i1):
    %v11 = arith.cmpf olt, %v10_i0, %v10_i1 : bf16
      linalg.yield %v11 : i1
    } -> tensor<128x256xi1>
    %v12 = tensor.empty() : tensor<128x256xbf16>
    %v13 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, 0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%v10, %v6, %a0 : tensor<128x256xi1>, tensor<128x1xbf16>, tensor<128x256xbf16>) outs(%v12 : tensor<128x256xbf16>) {
    ^bb0(%v13_i0: i1, %v13_i1: bf16, %v13_i2: bf16, %v13_o: bf16):
    %v14 = arith.select %v13_i0, %v13_i1, %v13_i2 : bf16
      linalg.yield %v14 : bf16
    } -> tensor<128x256xbf16>
    return %v13 : tensor<128x256xbf16>
  }
}
