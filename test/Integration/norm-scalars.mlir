// A norm with its number to add as a scalar argument, and its root as a power. Another scalar scales it.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
func.func @main(%x: tensor<24x40xf32>, %eps: f32, %scale: f32) -> tensor<24x40xf32> {
  %positive = arith.mulf %eps, %eps : f32
  %empty = tensor.empty() : tensor<24x40xf32>
  %column = tensor.empty() : tensor<24x1xf32>
  %zeros = arith.constant dense<0.0> : tensor<24x1xf32>
  %scales = linalg.fill ins(%scale : f32) outs(%empty : tensor<24x40xf32>) -> tensor<24x40xf32>
  %scaled = arith.mulf %x, %scales : tensor<24x40xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%scaled : tensor<24x40xf32>) outs(%zeros : tensor<24x1xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %two = arith.constant 2.0 : f32
    %square = math.powf %a, %two : f32
    %next = arith.addf %sum, %square : f32
    linalg.yield %next : f32
  } -> tensor<24x1xf32>
  %root = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%squares : tensor<24x1xf32>) outs(%column : tensor<24x1xf32>) {
  ^bb0(%a: f32, %out: f32):
    %inverse = arith.constant 0.025 : f32
    %exponent = arith.constant -0.5 : f32
    %mean = arith.mulf %a, %inverse : f32
    %sum = arith.addf %mean, %positive : f32
    %power = math.powf %sum, %exponent : f32
    linalg.yield %power : f32
  } -> tensor<24x1xf32>
  %o = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%scaled, %root : tensor<24x40xf32>, tensor<24x1xf32>) outs(%empty : tensor<24x40xf32>) {
  ^bb0(%a: f32, %r: f32, %out: f32):
    %n = arith.mulf %a, %r : f32
    linalg.yield %n : f32
  } -> tensor<24x40xf32>
  return %o : tensor<24x40xf32>
}
