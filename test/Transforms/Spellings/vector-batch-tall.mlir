// One row for each of many batches, times tall matrices: each partition has neighbouring rows of these, also of a batch behind the first one.
// RUN: trn-run %s --compile="machine=trn2 effort=30" --verify | FileCheck %s
// CHECK: verify: result 0: relative error

func.func @main(%x: tensor<32x1x512xbf16>, %w: tensor<32x512x64xbf16>) -> tensor<32x1x64xf32> {
  %z = arith.constant dense<0.0> : tensor<32x1x64xf32>
  %s = linalg.batch_matmul ins(%x, %w : tensor<32x1x512xbf16>, tensor<32x512x64xbf16>) outs(%z : tensor<32x1x64xf32>) -> tensor<32x1x64xf32>
  return %s : tensor<32x1x64xf32>
}
