// The row of a class in front of those of patches, as ViT has it, with positions and a norm behind: all rows are computed by one kernel.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>

func.func @main(%patches: tensor<3x16x40xf32>, %class: tensor<1x1x48xf32>, %w: tensor<40x48xf32>, %bias: tensor<48xf32>, %positions: tensor<17x48xf32>, %v: tensor<48x64xf32>) -> tensor<51x64xf32> {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 48.0 : f32
  %eps = arith.constant 1.0e-5 : f32
  %flat = tensor.collapse_shape %patches [[0, 1], [2]] : tensor<3x16x40xf32> into tensor<48x40xf32>
  %e = tensor.empty() : tensor<48x48xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<48x48xf32>) -> tensor<48x48xf32>
  %p = linalg.matmul ins(%flat, %w : tensor<48x40xf32>, tensor<40x48xf32>) outs(%z : tensor<48x48xf32>) -> tensor<48x48xf32>
  %b = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %bias : tensor<48x48xf32>, tensor<48xf32>) outs(%e : tensor<48x48xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  } -> tensor<48x48xf32>
  %tokens = tensor.expand_shape %b [[0, 1], [2]] output_shape [3, 16, 48] : tensor<48x48xf32> into tensor<3x16x48xf32>

  %one = tensor.collapse_shape %class [[0, 1], [2]] : tensor<1x1x48xf32> into tensor<1x48xf32>
  %ce = tensor.empty() : tensor<3x1x48xf32>
  %classes = linalg.broadcast ins(%one : tensor<1x48xf32>) outs(%ce : tensor<3x1x48xf32>) dimensions = [0]
  %joined = tensor.concat dim(1) %classes, %tokens : (tensor<3x1x48xf32>, tensor<3x16x48xf32>) -> tensor<3x17x48xf32>
  %pe = tensor.empty() : tensor<3x17x48xf32>
  %placed = linalg.broadcast ins(%positions : tensor<17x48xf32>) outs(%pe : tensor<3x17x48xf32>) dimensions = [0]
  %sum = arith.addf %joined, %placed : tensor<3x17x48xf32>
  %h = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<3x17x48xf32> into tensor<51x48xf32>

  %se = tensor.empty() : tensor<51xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<51xf32>) -> tensor<51xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%h : tensor<51x48xf32>) outs(%sz : tensor<51xf32>) {
  ^bb0(%x: f32, %acc: f32):
    %q = arith.mulf %x, %x : f32
    %s = arith.addf %acc, %q : f32
    linalg.yield %s : f32
  } -> tensor<51xf32>
  %he = tensor.empty() : tensor<51x48xf32>
  %normed = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%h, %squares : tensor<51x48xf32>, tensor<51xf32>) outs(%he : tensor<51x48xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %m = arith.divf %y, %n : f32
    %a = arith.addf %m, %eps : f32
    %r = math.rsqrt %a : f32
    %o = arith.mulf %x, %r : f32
    linalg.yield %o : f32
  } -> tensor<51x48xf32>
  %oe = tensor.empty() : tensor<51x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<51x64xf32>) -> tensor<51x64xf32>
  %o = linalg.matmul ins(%normed, %v : tensor<51x48xf32>, tensor<48x64xf32>) outs(%oz : tensor<51x64xf32>) -> tensor<51x64xf32>
  return %o : tensor<51x64xf32>
}
