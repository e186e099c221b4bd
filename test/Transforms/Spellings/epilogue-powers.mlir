// GELU by tanh as torch-mlir writes it, with x^3 as a power, and a square.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(i, j) -> (i, j)>
func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
  %y = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
  %empty = tensor.empty() : tensor<24x56xbf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<24x56xf32>) outs(%empty : tensor<24x56xbf16>) {
  ^bb0(%a: f32, %out: bf16):
    %three = arith.constant 3.0 : f32
    %two = arith.constant 2 : i32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %c = arith.constant 0.044715 : f32
    %d = arith.constant 0.797884583 : f32
    %cube = math.powf %a, %three : f32
    %scaled = arith.mulf %cube, %c : f32
    %sum = arith.addf %a, %scaled : f32
    %inner = arith.mulf %sum, %d : f32
    %tanh = math.tanh %inner : f32
    %outer = arith.addf %tanh, %one : f32
    %halved = arith.mulf %a, %half : f32
    %gelu = arith.mulf %halved, %outer : f32
    %square = math.fpowi %gelu, %two : f32, i32
    %r = arith.truncf %square : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<24x56xbf16>
  return %o : tensor<24x56xbf16>
}
