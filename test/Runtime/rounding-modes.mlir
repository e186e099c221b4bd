// RUN: not trn-run %s --compile=effort=1 --verify 2>&1 | FileCheck %s
// RUN: sed 's/upward/to_nearest_even/' %s | trn-run - --compile=effort=1 --verify | FileCheck %s --check-prefix=NEAREST

// Neither a kernel nor the host rounds upward, so nobody pretends to.

// CHECK: rounding-modes.mlir:[[# @LINE + 13]]:{{.*}}error: host code rounds upward, but this host only rounds to_nearest_even

// NEAREST: verify: result 0

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<8x6xf16>, %w: tensor<6x4xf16>) -> tensor<8x4xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x6xf16>, tensor<6x4xf16>) outs(%init : tensor<8x4xf32>) -> tensor<8x4xf32>
  %short = tensor.empty() : tensor<8x4xf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x4xf32>) outs(%short : tensor<8x4xf16>) {
  ^bb0(%in: f32, %out: f16):
    %rounded = arith.truncf %in upward : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x4xf16>
  return %o : tensor<8x4xf16>
}
