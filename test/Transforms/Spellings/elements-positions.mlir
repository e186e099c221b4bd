// A table of positions, with a batch of one, is added to each sequence: a step of the kernel for each, with the
// elements of one on all partitions.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES
// CHECK: func.func private @main_kernel(%{{[^:]*}}: memref<2x128x150xf32>, %{{[^:]*}}: memref<128x150xf32>
// CHECK-NOT: func.func private
// VALUES: verify: result 0: relative error 0.00e+00
// VALUES-NOT: host_ops

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#one = affine_map<(d0, d1, d2) -> (0, d1, d2)>
func.func @main(%x: tensor<2x50x384xf32>, %table: tensor<1x50x384xf32>) -> tensor<2x50x384xf32> {
  %empty = tensor.empty() : tensor<2x50x384xf32>
  %sum = linalg.generic {indexing_maps = [#map, #one, #map], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %table : tensor<2x50x384xf32>, tensor<1x50x384xf32>) outs(%empty : tensor<2x50x384xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %0 = arith.addf %in, %in_0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x50x384xf32>
  return %sum : tensor<2x50x384xf32>
}
