// Conditions that choose the larger or the smaller one of two values, a leaky ReLU, ELUs, powers with any exponent,
// and logarithms of a number and one: kernels compute them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK: verify: result 1: relative error
// CHECK-NOT: host_ops

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> (tensor<24x56xf32>, tensor<24x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<24x56xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<24x56xf32>) -> tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %six = arith.constant 6.0 : f32
  %slope = arith.constant 0.01 : f32
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    %low = arith.cmpf ult, %in, %zero : f32
    %most = arith.select %low, %zero, %in : f32
    %high = arith.cmpf ugt, %most, %six : f32
    %clamped = arith.select %high, %six, %most : f32
    %positive = arith.cmpf ogt, %in, %zero : f32
    %scaled = arith.mulf %in, %slope : f32
    %leaky = arith.select %positive, %in, %scaled : f32
    %sum = arith.addf %clamped, %leaky : f32
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %e = math.exp %in : f32
    %below = arith.subf %e, %one : f32
    %part = arith.mulf %below, %half : f32
    %elu = arith.select %positive, %in, %part : f32
    %all = arith.addf %sum, %elu : f32
    linalg.yield %all : f32
  } -> tensor<24x56xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xf32>) {
  ^bb0(%in: f32, %out: f32):
    %exponent = arith.constant 0.3 : f32
    %size = math.absf %in : f32
    %power = math.powf %size, %exponent : f32
    %log = math.log1p %power : f32
    %most = arith.minnumf %in, %zero : f32
    %less = math.expm1 %most : f32
    %positive = arith.cmpf ogt, %in, %zero : f32
    %cut = arith.select %positive, %zero, %in : f32
    %below = math.expm1 %cut : f32
    %elu = arith.select %positive, %in, %below : f32
    %both = arith.addf %less, %elu : f32
    %sum = arith.addf %log, %both : f32
    linalg.yield %sum : f32
  } -> tensor<24x56xf32>
  return %o, %p : tensor<24x56xf32>, tensor<24x56xf32>
}
