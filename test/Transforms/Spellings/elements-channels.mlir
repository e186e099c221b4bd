// The normalisation of channels by known statistics: (x - mean) / sqrt(var + eps) * gain + bias, channels first.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify --arg=random:0 --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros | FileCheck %s --check-prefix=VALUES
// RUN: trn-run %s --compile=effort=1 --verify --arg=random:0 --arg=random:1 --arg=random:2 --arg=random:3 --arg=zeros --machine=trn2 | FileCheck %s --check-prefix=VALUES
// CHECK: func.func private @main_kernel(%{{[^:]*}}: memref<2x32x196xf32>, %{{[^:]*}}: memref<32xf32>
// CHECK-NOT: func.func private
// VALUES: verify: result 0: relative error
// VALUES-NOT: host_ops

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
func.func @main(%x: tensor<2x32x14x14xf32>, %gain: tensor<32xf32>, %bias: tensor<32xf32>, %mean: tensor<32xf32>,
                %variance: tensor<32xf32>) -> tensor<2x32x14x14xf32> {
  %eps = arith.constant 1.0e-5 : f64
  %empty = tensor.empty() : tensor<2x32x14x14xf32>
  %0 = linalg.generic {indexing_maps = [#map, #channel, #channel, #channel, #channel, #map],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%x, %gain, %bias, %mean, %variance : tensor<2x32x14x14xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>,
          tensor<32xf32>) outs(%empty : tensor<2x32x14x14xf32>) {
  ^bb0(%in: f32, %g: f32, %b: f32, %m: f32, %v: f32, %out: f32):
    %1 = arith.truncf %eps : f64 to f32
    %2 = arith.addf %v, %1 : f32
    %3 = math.rsqrt %2 : f32
    %4 = arith.subf %in, %m : f32
    %5 = arith.mulf %4, %3 : f32
    %6 = arith.mulf %5, %g : f32
    %7 = arith.addf %6, %b : f32
    linalg.yield %7 : f32
  } -> tensor<2x32x14x14xf32>
  return %0 : tensor<2x32x14x14xf32>
}
