// What is computed of the zeros in the place of a class is a NaN here. It goes nowhere, though all rows are summed behind.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

#id = affine_map<(i, j) -> (i, j)>
#column = affine_map<(i, j) -> (j)>

func.func @main(%x: tensor<20x40xf32>, %class: tensor<2x48xf32>, %w: tensor<40x48xf32>) -> (tensor<22x48xf32>, tensor<48xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<20x48xf32>) -> tensor<20x48xf32>
  %p = linalg.matmul ins(%x, %w : tensor<20x40xf32>, tensor<40x48xf32>) outs(%z : tensor<20x48xf32>) -> tensor<20x48xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<20x48xf32>) outs(%e : tensor<20x48xf32>) {
  ^bb0(%a: f32, %out: f32):
    %square = arith.mulf %a, %a : f32
    %same = arith.divf %square, %square : f32
    %none = math.log %same : f32
    %b = arith.addf %a, %none : f32
    %c = arith.addf %b, %same : f32
    linalg.yield %c : f32
  } -> tensor<20x48xf32>
  %rows = tensor.concat dim(0) %class, %r : (tensor<2x48xf32>, tensor<20x48xf32>) -> tensor<22x48xf32>
  %se = tensor.empty() : tensor<22x48xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%rows : tensor<22x48xf32>) outs(%se : tensor<22x48xf32>) {
  ^bb0(%a: f32, %out: f32):
    %b = arith.addf %a, %a : f32
    linalg.yield %b : f32
  } -> tensor<22x48xf32>
  %me = tensor.empty() : tensor<48xf32>
  %mz = linalg.fill ins(%zero : f32) outs(%me : tensor<48xf32>) -> tensor<48xf32>
  %m = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%scaled : tensor<22x48xf32>) outs(%mz : tensor<48xf32>) {
  ^bb0(%a: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<48xf32>
  return %scaled, %m : tensor<22x48xf32>, tensor<48xf32>
}
