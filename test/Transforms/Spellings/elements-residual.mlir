// Elementwise ops alone are a kernel, as torch-mlir writes a residual: its three dimensions are rows for the partitions and columns.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES
// RUN: trn-run %s --compile=effort=1 --verify --machine=trn2 | FileCheck %s --check-prefix=VALUES
// CHECK: func.func private @main_kernel(%{{[^:]*}}: memref<112x176xbf16>
// CHECK-NOT: func.func private
// VALUES: verify: result 0: relative error 0.00e+00
// VALUES-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
func.func @main(%x: tensor<4x77x64xbf16>, %y: tensor<4x77x64xbf16>) -> tensor<4x77x64xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<4x77x64xbf16>
  %relu = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<4x77x64xbf16>) outs(%empty : tensor<4x77x64xbf16>) {
  ^bb0(%in: bf16, %out: bf16):
    %0 = arith.cmpf ugt, %in, %zero : bf16
    %1 = arith.select %0, %in, %zero : bf16
    linalg.yield %1 : bf16
  } -> tensor<4x77x64xbf16>
  %sum = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%relu, %y : tensor<4x77x64xbf16>, tensor<4x77x64xbf16>) outs(%empty : tensor<4x77x64xbf16>) {
  ^bb0(%in: bf16, %in_0: bf16, %out: bf16):
    %0 = arith.addf %in, %in_0 : bf16
    linalg.yield %0 : bf16
  } -> tensor<4x77x64xbf16>
  return %sum : tensor<4x77x64xbf16>
}
